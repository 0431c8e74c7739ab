import { expect, test } from "vitest";
import { aCollection } from "../../chat-api/testing/builders.ts";
import { hostilePeer, maya, ownerOfChat, sharedBff } from "../testing/hostile-set-up.ts";
import { aChat, aMessage, json } from "../testing/hostile-upstream.ts";
import { freshKey } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);

const chat = aChat(maya);
const collection = aCollection({ version: 2 });

test.each([
  ["createChat", "/chats", {}, chat],
  ["sendMessage", "/chats/chat_0001/messages", { text: "hello" }, { message: aMessage(), reply: null, chat }],
  [
    "submitCollection",
    "/chats/chat_0001/collection",
    { collectionRequestId: null, expectedVersion: 1, action: "save", values: { size: "M" } },
    collection,
  ],
  ["handoff", "/chats/chat_0001/handoff", { confirmationId: "confirm_1" }, chat],
] as const)("finishes %s although its browser leaves", async (_, path, body, item) => {
  const browser = await ownerOfChat(t, upstream);
  const leaving = new AbortController();
  upstream.on(`POST ${path}`, (_request, response) => {
    leaving.abort();
    // The BFF must notice the disconnect before the response arrives.
    setImmediate(() => json(response, 201, { item }));
  });
  const response = await browser.send(`/api/chat${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "idempotency-key": freshKey(),
    },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  expect(leaving.signal.aborted).toBe(true);
  expect((await response.json()).item).toEqual(item);
});
