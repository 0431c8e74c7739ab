import { isIP } from "node:net";

/** Whether a host name or address, also as in a URL, is this machine's loopback. */
export function isLoopback(host: string): boolean {
  if (["localhost", "::1", "[::1]"].includes(host)) return true;
  // IPv6 sockets report IPv4 peers in this form.
  const ipv4 = host.replace(/^::ffff:/i, "");
  return isIP(ipv4) === 4 && ipv4.startsWith("127.");
}
