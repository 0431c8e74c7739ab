import { connect, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { listenLocally } from "../local-server.ts";

/** Serves on a free port until the test has finished. */
export function serve(server: Server & { closeAllConnections?(): void }): Promise<number> {
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return listenLocally(server);
}

/** Resolves when the server has ended the connection, with the error's code if it was not in order. */
export async function endOf(socket: Socket): Promise<string | undefined> {
  const errors: NodeJS.ErrnoException[] = [];
  socket.on("error", (error) => errors.push(error));
  await new Promise((resolve) => socket.once("close", resolve));
  return errors[0]?.code;
}

/**
 * Sends these bytes, and with `end` a FIN after them. Resolves with the bytes that the server sends until it
 * closes the connection.
 */
export async function exchangeBytes(
  port: number,
  bytes: string,
  then: "wait" | "end" = "wait",
): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("end", () => socket.end());
  if (then === "end") socket.end(bytes);
  else socket.write(bytes);
  return text(socket);
}
