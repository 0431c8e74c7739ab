import { wellFormed } from "./support/requests.ts";
import { operationNames } from "./support/specification.ts";
import { choice, expect, expectError, lab, step, test } from "./support/test.ts";

for (const operation of operationNames) {
  test(
    `${operation} answers 401 without the chat key`,
    ["authentication.key"],
    async ({ api, target, sharedChatId: chatId }) => {
      const request = { ...wellFormed(operation), chatId };
      const { chatKey } = target;
      for (const authorization of [
        null,
        "",
        "Bearer",
        "Bearer ",
        chatKey,
        `Basic ${Buffer.from(`:${chatKey}`).toString("base64")}`,
        "Bearer ck_wrong_key_of_somebody_else",
        `Bearer ${chatKey}x`,
        `Bearer ${chatKey} x`,
        `Bearer ${chatKey}, Bearer ${chatKey}`,
        `Bearer ${chatKey.slice(0, -1)}`,
        `Bearer ${chatKey.slice("ck_".length)}`,
        `Bearer ${chatKey.toUpperCase()}`,
      ]) {
        await step(`Authorization: ${authorization?.replace(chatKey, "…") ?? "(none)"}`, async () => {
          expectError(await api.call(operation, { ...request, authorization }), "invalid_api_key");
        });
      }
    },
  );

  test(
    `${operation} rejects a request with an Origin header`,
    ["authentication.origin"],
    async ({ api, sharedChatId: chatId }) => {
      const request = wellFormed(operation);
      for (const headers of [
        { Origin: "https://shop.example" },
        { Origin: "null" },
        { ORIGIN: "http://localhost" },
      ]) {
        const response = await api.call(operation, {
          ...request,
          chatId,
          headers: { ...request.headers, ...headers },
        });
        expectError(response, "origin_not_allowed");
      }
    },
  );
}

test(
  "rejects an empty Origin header",
  [choice, "authentication.origin"],
  async ({ api, sharedChatId: chatId }) => {
    expectError(await api.call("getChat", { chatId, headers: { Origin: "" } }), "origin_not_allowed");
  },
);

test(
  "ignores a chat key in the URL",
  ["authentication.key"],
  async ({ api, target, sharedChatId: chatId }) => {
    for (const name of ["key", "api_key", "access_token", "token"]) {
      const query = `?${name}=${encodeURIComponent(target.chatKey)}`;
      expectError(await api.call("getChat", { chatId, query, authorization: null }), "invalid_api_key");
    }
  },
);

test(
  "accepts the Bearer scheme in any letter case (RFC 9110)",
  [choice, "authentication.key"],
  async ({ api, target, planned }) => {
    const { id: chatId } = await planned("reading");
    for (const scheme of ["bearer", "BEARER"]) {
      const response = await api.call("getChat", { chatId, authorization: `${scheme} ${target.chatKey}` });
      expect(response.status, response.text).toBe(200);
    }
  },
);

test(
  "rejects two Authorization headers",
  [choice, "authentication.key"],
  async ({ api, target, sharedChatId: chatId }) => {
    const right = `Bearer ${target.chatKey}`;
    for (const authorization of [
      [right, "Bearer ck_other_other_other"],
      ["Bearer ck_other_other_other", right],
      [right, right],
    ]) {
      expectError(await api.call("getChat", { chatId, authorization }), "invalid_api_key");
    }
  },
);

for (const operation of operationNames) {
  test(
    `${operation} rejects calls to an unpublished or suspended channel`,
    [lab, "authentication.state"],
    async ({ api, lab, freshChat }) => {
      const request = { ...wellFormed(operation), chatId: freshChat.id };
      await lab.changeChannel({ published: false, suspended: true });
      expectError(await api.call(operation, request), "channel_disabled");
      await lab.changeChannel({ published: true });
      expectError(await api.call(operation, request), "workspace_suspended");
      await lab.changeChannel({ suspended: false });
    },
  );
}

test(
  "reports a wrong key first, then the channel's state, then a malformed ID",
  [lab, "authentication.key", "authentication.state"],
  async ({ api, lab, freshChat }) => {
    await lab.changeChannel({ published: false, suspended: true });
    const call = { chatId: freshChat.id, authorization: "Bearer ck_wrong_wrong_wrong" };
    expectError(await api.call("getChat", call), "invalid_api_key");
    expectError(await api.call("getChat", { chatId: "short" }), "channel_disabled");
  },
);

test(
  "serves its chats again once the channel is republished",
  [lab, "authentication.state"],
  async ({ api, lab, freshChat }) => {
    const turn = await api.sendMessage(freshChat.id, { text: "Are you open?" });
    await lab.changeChannel({ published: false });
    expectError(await api.call("listMessages", { chatId: freshChat.id }), "channel_disabled");
    await lab.changeChannel({ published: true });
    const { items } = await api.listMessages(freshChat.id);
    expect(items[0]).toEqual(turn.message);
  },
);

test(
  "rejects the old chat key after a rotation",
  [lab, "authentication.key"],
  async ({ api, lab, target, freshChat }) => {
    const { chatKey } = target;
    const call = { chatId: freshChat.id };
    await lab.rotateChatKey("ck_the_new_key_of_this_channel");
    try {
      expectError(await api.call("getChat", call), "invalid_api_key");
      const authorization = "Bearer ck_the_new_key_of_this_channel";
      expect((await api.call("getChat", { ...call, authorization })).status).toBe(200);
    } finally {
      await lab.rotateChatKey(chatKey);
    }
    expect((await api.call("getChat", call)).status).toBe(200);
  },
);
