import { isIP } from "node:net";

/** Whether a host name or address is this machine's loopback. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  // IPv6 sockets report IPv4 peers in this form.
  const ipv4 = host.replace(/^::ffff:/i, "");
  return isIP(ipv4) === 4 && ipv4.startsWith("127.");
}
