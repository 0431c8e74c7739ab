/** Addresses of this machine, and the console's as a start prints it. */
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";

/** Whether a host name or address, also as in a URL, is this machine's loopback. */
export function isLoopback(host: string): boolean {
  if (["localhost", "::1", "[::1]"].includes(host)) return true;
  // IPv6 sockets report IPv4 peers in this form.
  const ipv4 = host.replace(/^::ffff:/i, "");
  return isIP(ipv4) === 4 && ipv4.startsWith("127.");
}

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
