import { wellFormed } from "./support/requests.ts";
import { operationNames } from "./support/specification.ts";
import { choice, expect, expectError, lab, test } from "./support/test.ts";

const neither = ["text/html", "text/plain", "application/xml", "image/png", "text/html, image/*;q=0.9"];

for (const accept of neither) {
  test(
    `rejects a message with Accept ${accept} with 406`,
    ["events.accept"],
    async ({ api, sharedChatId: chatId }) => {
      const response = await api.call("sendMessage", {
        chatId,
        json: { text: "Hello" },
        headers: { Accept: accept },
      });
      expectError(response, "unsupported_accept");
    },
  );
}

const json: (string | undefined)[] = [
  undefined,
  "*/*",
  "application/*",
  "application/json",
  "APPLICATION/JSON",
  "application/json; charset=utf-8",
  "text/html, application/json;q=0.5",
  "text/html, */*;q=0.1",
];

for (const accept of json) {
  test(
    `answers in JSON when Accept is ${accept ?? "absent"}`,
    [lab, "events.accept", "general.json"],
    async ({ api, freshChat }) => {
      // `sendMessage` checks that the response is JSON.
      await api.sendMessage(
        freshChat.id,
        { text: "Hello" },
        { headers: accept === undefined ? {} : { Accept: accept } },
      );
    },
  );
}

const streamed = [
  "text/event-stream",
  "TEXT/Event-Stream",
  "text/event-stream; charset=utf-8",
  "text/event-stream, application/json;q=0.5",
  "application/json;q=0.5, text/event-stream",
];

for (const accept of streamed) {
  test(`streams the reply when Accept is ${accept}`, [lab, "events.accept"], async ({ api, freshChat }) => {
    const stream = await api.stream(freshChat.id, { text: "Hello" }, { headers: { Accept: accept } });
    expect(stream.head.headers["content-type"]).toMatch(/^text\/event-stream/);
    await stream.all();
  });
}

test(
  "rejects text/event-stream;q=0 with 406",
  [choice, "events.accept"],
  async ({ api, sharedChatId: chatId }) => {
    const response = await api.call("sendMessage", {
      chatId,
      json: { text: "Hello" },
      headers: { Accept: "text/event-stream;q=0" },
    });
    expectError(response, "unsupported_accept");
  },
);

for (const operation of operationNames) {
  if (operation === "sendMessage") continue;
  test(`${operation} ignores Accept`, [lab, "general.json", "events.accept"], async ({ api, freshChat }) => {
    const request = { ...wellFormed(operation), chatId: freshChat.id };
    const plain = await api.call(operation, request);
    for (const accept of ["text/html", "text/event-stream", "application/xml"]) {
      const response = await api.call(operation, {
        ...request,
        headers: { ...request.headers, Accept: accept },
      });
      expect(response.status, response.text).toBe(plain.status);
      expect(response.headers["content-type"]).toBe(plain.headers["content-type"]);
    }
  });
}

test("rejects Last-Event-ID on a stream", ["events.no-resume"], async ({ api, sharedChatId: chatId }) => {
  for (const id of ["1", "", "abc-def"]) {
    if (id === "" && !api.exact) continue;
    const response = await api.call("sendMessage", {
      chatId,
      json: { text: "Hello" },
      headers: { Accept: "text/event-stream", "Last-Event-ID": id },
    });
    expectError(response, "unsupported_resume");
  }
});

test(
  "rejects Last-Event-ID on a JSON request",
  [choice, "events.no-resume"],
  async ({ api, sharedChatId: chatId }) => {
    const headers = { "Last-Event-ID": "1" };
    const response = await api.call("sendMessage", { chatId, json: { text: "Hello" }, headers });
    expectError(response, "unsupported_resume");
  },
);
