/** The console's address as a start prints it. */
import { randomBytes } from "node:crypto";
import { isLoopback } from "./loopback.ts";

/**
 * The token of the printed address: the given one, or a new one on loopback. On other addresses the log may
 * have more readers than the chats, so that only the key signs in.
 */
export function startToken(host: string, given: string | undefined): string | undefined {
  return given ?? (isLoopback(host) ? randomBytes(32).toString("base64url") : undefined);
}

export function consoleAddress(url: string, token: string | undefined): string {
  return `${url}/console${token === undefined ? "" : `?token=${token}`}`;
}
