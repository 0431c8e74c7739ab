/** Where a request came from, as far as proxies of ours can be believed. */
import { isIPv6 } from "node:net";

/**
 * The address that the outermost proxy of ours has seen: each proxy appends its peer, so that with `hops` proxies it is
 * the `hops`-th from the right. What stands further left was written by the caller. Of IPv6 it is the network of 64 bits,
 * all of which one customer has. A port, which some proxies write too, is another one for each connection.
 */
export function callerAddress(request: Request, hops: number): string | undefined {
  if (hops === 0) return undefined;
  const entries = (request.headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  const address = withoutPort(entries.at(-hops) ?? "");
  if (address === "") return undefined;
  // Some readers of addresses take a zone (`%eth0`), which no address of the internet has.
  return isIPv6(address) && URL.canParse(`http://[${address}]`) ? networkOf(address) : address;
}

function withoutPort(entry: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry;
}

const groupsOfAddress = 8;
const groupsOfNetwork = 4;
const mappedPrefix = "0:0:0:0:0:ffff";

function networkOf(address: string): string {
  // Written in one way: lower case, no leading zeros, the longest run of zeros as `::`.
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [first, last] = [head, tail].map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array(groupsOfAddress).fill("0");
  const groups = [
    ...(first ?? []),
    ...zeros.slice((first?.length ?? 0) + (last?.length ?? 0)),
    ...(last ?? []),
  ];
  // IPv4 in the form of IPv6 (RFC 4291, section 2.5.5.2): all of them are in one network.
  if (groups.slice(0, -2).join(":") === mappedPrefix) {
    return groups
      .slice(-2)
      .map((group) => Number.parseInt(group, 16))
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  return groups.slice(0, groupsOfNetwork).join(":");
}
