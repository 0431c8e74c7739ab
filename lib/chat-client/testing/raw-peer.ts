/** A peer on a real socket that may break the HTTP protocol. */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { listenLocally } from "../../../testing/local-server.ts";

export interface RawPeer {
  origin: string;
  close(): Promise<void>;
}

/** @param respond Gets each request's head and body as text, its number from 1, and its socket. */
export async function startRawPeer(
  respond: (socket: Socket, request: string, number: number) => void,
): Promise<RawPeer> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      if (!isWhole(received)) return;
      requests += 1;
      const request = received;
      received = "";
      respond(socket, request, requests);
    });
  });
  const port = await listenLocally(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** True once the head and a body of its Content-Length have arrived. */
function isWhole(request: string): boolean {
  const end = request.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = Number(/^content-length: (\d+)$/im.exec(request)?.[1] ?? 0);
  return request.length >= end + 4 + length;
}

/** A response with exact bytes; `length` may be wrong. */
export function rawResponse(
  body: string | Uint8Array,
  {
    status = "200 OK",
    headers = {},
    length,
  }: { status?: string; headers?: Record<string, string>; length?: number } = {},
): Uint8Array {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const lines = Object.entries({
    "content-type": "application/json",
    "content-length": String(length ?? bytes.length),
    "x-request-id": "req_1",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`), bytes]);
}
