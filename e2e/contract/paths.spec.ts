import { randomBytes } from "node:crypto";
import { aFileId, wellFormed } from "./support/requests.ts";
import { chatOperations, methodOf, operationNames } from "./support/specification.ts";
import { choice, expect, expectError, step, test } from "./support/test.ts";

const malformedIds = [
  ["of 7 characters", "abcdefg"],
  ["of 129 characters", "a".repeat(129)],
  ["with a dot", "abcd.efgh"],
  ["with a tilde", "abcd~efgh"],
  ["with a colon", "abcd:efgh"],
  ["with an escaped space", "abcd%20efgh"],
  ["with an escaped letter outside ASCII", "abcdefgh%C3%A9"],
  ["with full-width digits", "abcdefgh%EF%BC%91"],
] as const;

// A proxy in front of a live channel may refuse these by itself.
const hostileIds = [
  ["with an escaped slash", "abcd%2Fefgh"],
  ["with escaped parent folders", "..%2F..%2Fadmin"],
  ["of two escaped dots", "%2e%2e"],
  ["with an escaped line break at its end", "abcdefgh%0A"],
  ["with an escaped null", "abcdefgh%00"],
  ["that is no UTF-8", "abcdefgh%ff"],
  ["with a broken escape", "abcdefgh%zz"],
  ["that is escaped twice", "%63hat_00%2541"],
  ["with an escaped question mark", "abcdefgh%3Flimit=1"],
  ["with an escaped hash", "abcdefgh%23"],
] as const;

for (const operation of chatOperations) {
  for (const [kind, ids, details] of [
    ["malformed", malformedIds, []],
    ["hostile", hostileIds, [choice]],
  ] as const)
    test(`${operation} rejects ${kind} chat IDs`, [...details, "paths.ids"], async ({ api }) => {
      for (const [what, chatId] of ids) {
        await step(`an ID ${what}`, async () => {
          expectError(await api.call(operation, { ...wellFormed(operation), chatId }), "invalid_id");
        });
      }
    });

  test(`${operation} answers 404 for an unknown chat`, ["get.chat"], async ({ api }) => {
    const unknown = ["unknownX", randomBytes(96).toString("base64url"), "chat_-_-_-_-unknown"];
    for (const chatId of [...unknown, ...(api.exact ? ["%75nknownX"] : [])]) {
      expectError(await api.call(operation, { ...wellFormed(operation), chatId }), "chat_not_found");
    }
  });
}

test("rejects malformed file IDs", ["paths.ids"], async ({ api, sharedChatId: chatId }) => {
  const hostile = api.exact ? hostileIds : [];
  for (const [what, fileId] of [...malformedIds, ...hostile]) {
    await step(`an ID ${what}`, async () => {
      expectError(await api.call("downloadFile", { chatId, fileId }), "invalid_id");
    });
  }
});

const malformedKeys = [
  ["without dep_", "shopshop"],
  ["of 5 characters after dep_", "dep_abcde"],
  ["of 81 characters after dep_", `dep_${"a".repeat(81)}`],
  ["with an upper-case letter", "dep_Abcdef"],
  ["with a dot", "dep_abc.def"],
  ["with an escaped space", "dep_abc%20def"],
] as const;

for (const operation of operationNames) {
  test(
    `${operation} rejects malformed channel keys as invalid IDs`,
    ["paths.ids"],
    async ({ api, sharedChatId: chatId }) => {
      for (const [what, channelKey] of malformedKeys) {
        await step(`a key ${what}`, async () => {
          const response = await api.call(operation, { ...wellFormed(operation), chatId, channelKey });
          // No chat key matches such an address, and a live channel may report that first.
          expectError(response, api.exact ? "invalid_id" : ["invalid_id", "invalid_api_key"]);
        });
      }
    },
  );
}

test(
  "rejects a chat key on another channel",
  ["authentication.channel"],
  async ({ api, sharedChatId: chatId }) => {
    const channelKey = "dep_another-channel_1";
    for (const operation of ["createChat", "getChat"] as const) {
      const call = { ...wellFormed(operation), chatId, channelKey };
      const response = await api.request(methodOf(operation), api.path(operation, call), {
        headers: api.headers(operation, call),
        ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
      });
      // A live channel may answer with any of these errors.
      expectError(
        response,
        api.exact
          ? "invalid_api_key"
          : ["invalid_api_key", "channel_disabled", "not_found", "chat_not_found"],
      );
    }
  },
);

test("answers 404 for unknown paths", ["paths.unknown"], async ({ api, target, planned }) => {
  const { id } = await planned("reading");
  const channel = `/v1/channels/${target.channelKey}`;
  for (const path of [
    "/v1/nope",
    "/v1/channels",
    `${channel}/nope`,
    `${channel}/chat`,
    `${channel}/chats/${id}/nope`,
    `${channel}/chats/${id}/messages/${id}`,
    `${channel}/chats/${id}/files/${aFileId}/nope`,
    `${channel}/chats/${id}/collection/nope`,
    `${channel}/chats/${id}/handoffs`,
    `/v2/channels/${target.channelKey}/chats/${id}`,
    `/channels/${target.channelKey}/chats/${id}`,
  ]) {
    await step(path, async () => {
      expectError(await api.request("GET", path, { headers: api.authorized }), "not_found");
    });
  }
});

test(
  "matches paths exactly, without a trailing slash",
  [choice, "paths.unknown"],
  async ({ api, target, planned }) => {
    const { id } = await planned("reading");
    const channel = `/v1/channels/${target.channelKey}`;
    for (const path of [
      `${channel}/chats/${id}/`,
      `${channel}/Chats/${id}`,
      `/V1${channel.slice(3)}/chats/${id}`,
    ]) {
      expectError(await api.request("GET", path, { headers: api.authorized }), "not_found");
    }
  },
);

const allowed: readonly [path: string, methods: readonly string[]][] = [
  ["/chats", ["POST"]],
  ["/chats/{id}", ["GET"]],
  ["/chats/{id}/messages", ["GET", "POST"]],
  ["/chats/{id}/files", ["POST"]],
  [`/chats/{id}/files/${aFileId}`, ["GET"]],
  ["/chats/{id}/collection", ["GET", "POST"]],
  ["/chats/{id}/handoff", ["POST"]],
];

for (const [path, methods] of allowed) {
  test(`lists the methods of ${path} in Allow`, ["paths.unknown"], async ({ api, target, planned }) => {
    const { id } = await planned("reading");
    const wrong = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !methods.includes(method));
    for (const method of wrong) {
      const response = await api.request(
        method,
        `/v1/channels/${target.channelKey}${path.replace("{id}", id)}`,
        { headers: api.authorized },
      );
      expectError(response, "method_not_allowed");
      const listed = (response.headers["allow"] ?? "").split(",").map((word) => word.trim());
      // A channel may also offer HEAD and OPTIONS.
      expect(listed.filter((word) => word !== "HEAD" && word !== "OPTIONS").toSorted()).toEqual(methods);
    }
  });
}
