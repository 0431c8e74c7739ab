import { itemOf } from "./support/api.ts";
import { creationKey } from "./support/chats.ts";
import type { Chat } from "./support/shapes.ts";
import { choice, expect, expectError, test } from "./support/test.ts";

// Refused requests create no chat, so these tests cost a live channel's plan nothing.
const refusedUserIds: [what: string, userId: unknown][] = [
  ["of 7 characters", "a".repeat(7)],
  ["of 129 characters", "a".repeat(129)],
  ["with a space", "customer 1"],
  ["with @, which only userIds in responses may contain", "ana@example"],
  ["with a slash", "customer/1"],
  ["with a letter outside ASCII", "customér1"],
  ["with a line break at its end", "customer1\n"],
  ["that is empty", ""],
  ["that is null", null],
  ["that is a number", 12345678],
  ["that is a list", ["customer1"]],
];

for (const [what, userId] of refusedUserIds) {
  test(`rejects a userId ${what}`, ["create.user-id", "errors.field"], async ({ api }) => {
    expectError(await api.call("createChat", { json: { userId } }), "invalid_request", {
      api,
      at: "/userId",
    });
  });
}

const refusedLocales: [what: string, locale: unknown][] = [
  ["of one letter", "e"],
  ["with an underscore", "en_US"],
  ["that ends in a hyphen", "en-"],
  ["with a subtag of nine characters", "en-abcdefghi"],
  ["that begins with a digit", "1en"],
  ["of nine letters", "abcdefghi"],
  ["of 65 characters", `en${"-abcdefgh".repeat(7)}`],
  ["with a space", "en US"],
  ["that is empty", ""],
  ["that is null", null],
  ["that is a list", ["en"]],
];

for (const [what, locale] of refusedLocales) {
  test(`rejects a locale ${what}`, ["create.locale", "errors.field"], async ({ api }) => {
    expectError(await api.call("createChat", { json: { locale } }), "invalid_request", {
      api,
      at: "/locale",
    });
  });
}

for (const name of ["surprise", "UserId", "constructor", "metadata", "a/b~c", "__proto__"]) {
  test(`rejects the unknown property ${name}`, ["create.properties", "errors.field"], async ({ api }) => {
    const body = `{"locale":"en","${name}":1}`;
    const response = await api.call("createChat", { body, headers: { "Content-Type": "application/json" } });
    expectError(response, "invalid_request", {
      api,
      at: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    });
  });
}

test(
  "creates an open chat with the agent and a complete history",
  ["states.created", "get.chat"],
  async ({ api, target }) => {
    const response = await api.call("createChat", { json: {}, key: creationKey("guest") });
    const chat = itemOf<Chat>(response, 201);
    expect(chat).toMatchObject({
      channelKey: target.channelKey,
      mode: "agent",
      teammate: null,
      resolvedAt: null,
      handoff: null,
      historyComplete: true,
    });
    expect(Date.parse(chat.updatedAt)).toBeGreaterThanOrEqual(Date.parse(chat.createdAt));
    // A live channel's agent may greet meanwhile.
    const now = await api.getChat(chat.id);
    expect(now).toEqual({ ...chat, updatedAt: api.exact ? chat.updatedAt : now.updatedAt });
  },
);

test("gives guests random IDs and chats unique IDs", ["resources.user-id"], async ({ planned }) => {
  const one = await planned("reading");
  const other = await planned("conversation");
  expect(other.id).not.toBe(one.id);
  expect(other.userId).not.toBe(one.userId);
});

test("assigns several chats to one userId", ["create.user-id", "resources.user-id"], async ({ api }) => {
  const userId = `Customer.9_a:b-${crypto.randomUUID()}`;
  const one = itemOf<Chat>(
    await api.call("createChat", { json: { userId }, key: creationKey("named") }),
    201,
  );
  expect(one.userId).toBe(userId);
  expect(one.mode).toBe("agent");
  const other = itemOf<Chat>(
    await api.call("createChat", { json: { userId }, key: creationKey("sameCustomer") }),
    201,
  );
  expect(other.userId).toBe(userId);
  expect(other.id).not.toBe(one.id);
});

test("accepts a locale and does not return it", ["create.locale"], async ({ api }) => {
  const json = { locale: "zh-Hant-TW-x-abcdefgh" };
  const response = await api.call("createChat", { json, key: creationKey("localised") });
  expect(itemOf<Chat>(response, 201).mode).toBe("agent");
});

test(
  "accepts the shortest and the longest valid userId and locale",
  [choice, "create.user-id", "create.locale"],
  async ({ api }) => {
    for (const json of [
      { userId: "a".repeat(8) },
      { userId: "z".repeat(128) },
      { userId: "A9._:-aa" },
      { locale: `en${"-abcdefgh".repeat(6)}-abcdefg` },
      { locale: "EN-latn-US" },
      { locale: "de-CH-1901" },
    ]) {
      const chat = await api.createChat(json);
      if (json.userId !== undefined) expect(chat.userId).toBe(json.userId);
    }
  },
);

test(
  "creates a chat under a key of 128 characters of every allowed kind",
  ["idempotency.format", "idempotency.replay"],
  async ({ api }) => {
    const key = creationKey("longestKey");
    expect(key).toHaveLength(128);
    const chat = itemOf<Chat>(await api.call("createChat", { json: {}, key }), 201);
    expect(itemOf<Chat>(await api.call("createChat", { json: {}, key }), 200).id).toBe(chat.id);
  },
);
