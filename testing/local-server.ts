import type { Server } from "node:net";

/** Listens on a free port of the loopback address. */
export async function listenLocally(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

/** An HTTP request as text, for requests that no client would send. */
export function rawRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body = "",
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
