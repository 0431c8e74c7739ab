/** Determines a request's address: the connection's, or the one that trusted proxies report. */
import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * Stands for the address of a connection that was reset before its request was read: the operating system no
 * longer knows it. Without this value such requests would escape the limits per address.
 */
export const lostPeer = "lost";

export interface CallerAddress {
  /**
   * The IPv4 address, or the IPv6 /48 prefix, the largest that a provider usually assigns to one customer.
   */
  host: string;
  /**
   * True if many callers may share the address: a connection's loopback, private or lost address, and the
   * connection's address of a request with fewer proxies than configured.
   */
  isShared: boolean;
}

/**
 * Returns the connection's address if no proxy is trusted, whatever the caller sends. With `hops` trusted
 * proxies, returns the `hops`-th entry of `X-Forwarded-For` from the right, which the outermost of them has
 * appended; entries further left come from the caller. If there is no such entry, the caller has bypassed a
 * proxy or `TRUST_PROXY_HOPS` is too high: then the header is ignored and the connection's address counts as
 * shared. Undefined if there is no entry and the connection's address is unknown.
 */
export function callerAddress(
  request: Pick<Request, "headers">,
  hops: number,
  peer: string | undefined,
): CallerAddress | undefined {
  const forwarded = hops === 0 ? undefined : forwardedEntry(request, hops);
  if (forwarded !== undefined) return readAddress(forwarded, () => false);
  if (peer === undefined) return undefined;
  const address = readAddress(peer, isPrivate);
  return address === undefined || hops === 0 ? address : { ...address, isShared: true };
}

/** A proxy may report any text. The counts in memory keep it. */
const longestAddress = 64;

function readAddress(
  entry: string,
  isSharedAddress: (address: string) => boolean,
): CallerAddress | undefined {
  // The zone of a link-local address (`%eth0`) names this machine's interface.
  const address = withoutPort(entry).replace(/%.*$/, "");
  if (address === "") return undefined;
  const host = isIPv6(address) ? prefixOf(address) : address.slice(0, longestAddress);
  return { host, isShared: isSharedAddress(address) };
}

function forwardedEntry(request: Pick<Request, "headers">, hops: number): string | undefined {
  const entries = (request.headers.get("x-forwarded-for") ?? "").split(",");
  return entries.at(-hops)?.trim() || undefined;
}

const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  // Carrier-grade NAT (RFC 6598).
  ["100.64.0.0", 10],
] as const) {
  privateAddresses.addSubnet(network, prefix, "ipv4");
}
privateAddresses.addAddress("::1", "ipv6");
privateAddresses.addSubnet("fc00::", 7, "ipv6");
privateAddresses.addSubnet("fe80::", 10, "ipv6");

function isPrivate(address: string): boolean {
  if (address === lostPeer) return true;
  const version = isIP(address);
  return version !== 0 && privateAddresses.check(address, version === 6 ? "ipv6" : "ipv4");
}

function withoutPort(entry: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry;
}

const prefixGroups = 3;

/**
 * The /48 prefix in canonical form: lower case, no leading zeros. Of an IPv4-mapped address (RFC 4291,
 * section 2.5.5.2) the IPv4 address, because all of those share one prefix.
 */
function prefixOf(address: string): string {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical);
  if (mapped !== null)
    return mapped
      .slice(1)
      .map((group) => Number.parseInt(group, 16))
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  const [start = ""] = canonical.split("::", 1);
  const groups = start === "" ? [] : start.split(":");
  // `::` stands for zeros.
  return [...groups, "0", "0", "0"].slice(0, prefixGroups).join(":");
}
