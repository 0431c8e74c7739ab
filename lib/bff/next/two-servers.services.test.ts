import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createChatServer } from "../chat-server/chat-server.ts";
import { protectNextServer, stopNextChat, toNextHandler } from "../next.ts";

test("serves two chat servers of one process on Next's sockets", async () => {
  const log = () => undefined;
  for (const basePath of ["/sales/chat", "/repairs/chat"]) {
    protectNextServer({ basePath, direct: true });
    toNextHandler(createChatServer({ basePath, log }));
  }
  const server = createServer((_request, response) => response.writeHead(418).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await stopNextChat();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect(await statusOf("/sales/chat/health/live")).toBe(200);
  expect(await statusOf("/repairs/chat/health/live")).toBe(200);
  expect(await statusOf("/about")).toBe(418);
});
