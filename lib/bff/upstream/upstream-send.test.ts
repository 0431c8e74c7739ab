import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../../testing/unit/serve.ts";
import type { HttpRequest } from "../../chat-client/exchange.ts";
import { createSender } from "./upstream-send.ts";

/** A server that answers every request, and what it has seen. */
async function aServer() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    response.end("text");
  });
  const port = await serve(server);
  const { send, destroy } = createSender();
  onTestFinished(destroy);
  const request = (path: string): HttpRequest => ({
    address: `http://127.0.0.1:${port}${path}`,
    method: "GET",
    headers: {},
    body: undefined,
  });
  return { seen, request, send };
}

test("never sends a request that is aborted before it has a connection", async () => {
  const { seen, request, send } = await aServer();
  const abandoned = send(request("/abandoned"));
  abandoned.abort();
  await expect(abandoned.response).rejects.toThrow("given up");
  expect((await send(request("/next")).response).status).toBe(200);
  expect(seen).toEqual(["/next"]);
});
