/** Clients that disconnect early from Next's server; for `npm run bff`, see connections.test.ts. */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { expect } from "@playwright/test";
import { rawRequest, sendRaw } from "./raw-http.ts";
import { pageHeaders, startSession } from "./shop-browser.ts";
import { test } from "./shop-test.ts";

const streamsPerSession = 3;

/** Sends a whole request and closes the connection a moment later. */
async function sendAndLeave(origin: string, request: string, delay: number): Promise<void> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  await new Promise<void>((resolve) => void socket.write(request, () => resolve()));
  await new Promise((resolve) => setTimeout(resolve, delay));
  socket.destroy();
}

for (const delay of [0, 10, 50, 100]) {
  test(`frees a caller's slots when it disconnects ${delay} ms after its request`, async ({ origin }) => {
    const customer = await startSession(origin);
    const chats = await Promise.all(Array.from({ length: streamsPerSession }, () => customer.newChat()));
    const headers = { ...pageHeaders, origin, cookie: customer.cookie, "content-type": "application/json" };
    const send = (chatId: string) =>
      rawRequest(origin, {
        method: "POST",
        path: `/api/chat/chats/${chatId}/messages`,
        headers: { ...headers, accept: "text/event-stream", "idempotency-key": randomUUID() },
        body: '{"text":"Do you repair punctures?"}',
      });
    await Promise.all(chats.map((chatId) => sendAndLeave(origin, send(chatId), delay)));
    const statusOfNext = async () => {
      const path = `/api/chat/chats/${chats[0]}/messages`;
      const next = await customer.call("POST", path, { text: "hello" }, { accept: "text/event-stream" });
      await next.body?.cancel();
      return next.status;
    };
    // Neither 429 nor 409: the abandoned turns continue without their reader.
    await expect.poll(statusOfNext, { intervals: [250], timeout: 5_000 }).toBe(201);
  });
}

test("sends no response when a connection ends in the middle of a body", async ({ origin }) => {
  const { cookie, newChat } = await startSession(origin);
  const path = `/api/chat/chats/${await newChat()}/messages`;
  const headers = {
    ...pageHeaders,
    origin,
    cookie,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  const cut = [
    rawRequest(origin, { method: "POST", path, headers: { ...headers, "content-length": "30" } }),
    rawRequest(origin, { method: "POST", path, headers: { ...headers, "transfer-encoding": "chunked" } }),
  ];
  for (const head of cut) {
    for (const body of ["", '10\r\n{"tex']) {
      const { status, text } = await sendRaw(origin, head + body, "end");
      expect([status, text], head + body).toEqual([0, ""]);
    }
  }
});
