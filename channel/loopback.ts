import { isIP } from "node:net";

/** Whether a host name or an address is this machine itself. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  // As IPv6 sockets show IPv4 peers.
  const ipv4 = host.replace(/^::ffff:/i, "");
  return isIP(ipv4) === 4 && ipv4.startsWith("127.");
}
