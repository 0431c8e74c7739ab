import { expect, test } from "vitest";
import { type CallerAddress, callerAddress } from "./caller-address.ts";

function forwarded(header: string | undefined, hops: number, peer?: string): CallerAddress | undefined {
  const headers: HeadersInit = header === undefined ? {} : { "x-forwarded-for": header };
  return callerAddress(new Request("https://shop.example", { headers }), hops, peer);
}
const behindProxy = (entry: string) => forwarded(`6.6.6.6, ${entry}`, 1);

test("takes the entry of the outermost trusted proxy", () => {
  const host = (header: string | undefined, hops: number) => forwarded(header, hops)?.host;
  expect(host("1.1.1.1, 2.2.2.2, 3.3.3.3", 1)).toBe("3.3.3.3");
  expect(host("1.1.1.1, 2.2.2.2, 3.3.3.3", 2)).toBe("2.2.2.2");
  // Some proxies append the port, which differs for each connection.
  for (const port of ["1024", "65535"]) {
    expect(host(`3.3.3.3:${port}`, 1)).toBe("3.3.3.3");
    expect(host(`[2001:db8:1:2::3]:${port}`, 1)).toBe("2001:db8:1");
  }
  for (const header of [undefined, ""]) expect(host(header, 1)).toBeUndefined();
});

test("bounds what a proxy reports in place of an address", () => {
  expect(behindProxy("x".repeat(10_000))?.host).toBe("x".repeat(64));
});

test("uses the connection's address without trusted proxies, whatever the header says", () => {
  for (const header of [undefined, "6.6.6.6", "6.6.6.6, 7.7.7.7"]) {
    expect(forwarded(header, 0, "198.51.100.4")?.host).toBe("198.51.100.4");
    expect(forwarded(header, 0)).toBeUndefined();
  }
});

test("treats the connection's address as shared when the header has too few entries", () => {
  for (const header of ["1.1.1.1", "", " , 1.1.1.1", undefined]) {
    expect(forwarded(header, 2, "198.51.100.4"), header).toEqual({
      host: "198.51.100.4",
      isShared: true,
    });
  }
});

test("reduces IPv6 to its /48 prefix, and keeps IPv4, in every notation", () => {
  expect(behindProxy("2001:db8:1:2::1")).toEqual({ host: "2001:db8:1", isShared: false });
  for (const same of ["2001:db8:1:2:ffff:1:2:3", "2001:0DB8:0001:0002::", "2001:db8:1:3:0:0:0:9"]) {
    expect(behindProxy(same), same).toEqual(behindProxy("2001:db8:1:2::1"));
  }
  expect(behindProxy("2001:db8:2:2::1")?.host).toBe("2001:db8:2");
  expect(behindProxy("2001:db8::1")?.host).toBe("2001:db8:0");
  for (const mapped of ["::ffff:192.0.2.7", "::FFFF:c000:207", "0:0:0:0:0:ffff:c000:0207"]) {
    expect(behindProxy(mapped), mapped).toEqual(behindProxy("192.0.2.7"));
  }
  expect(behindProxy("192.0.2.7")).toEqual({ host: "192.0.2.7", isShared: false });
});

test("treats a connection from a loopback or private address as shared", () => {
  const isShared = (peer: string) => forwarded(undefined, 0, peer)?.isShared;
  for (const peer of [
    "lost",
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "::ffff:127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.3.4",
    "100.64.0.1",
    "fd12:3456::1",
    "fe80::1%eth0",
  ]) {
    expect(isShared(peer), peer).toBe(true);
  }
  // An address that a trusted proxy has seen is a customer's, even within a company network.
  for (const entry of ["10.1.2.3", "127.0.0.1", "fd12:3456::1"]) {
    expect(behindProxy(entry)?.isShared, entry).toBe(false);
  }
  for (const peer of ["172.32.0.1", "11.0.0.1", "192.169.0.1", "100.128.0.1", "2001:db8::1", "unknown"]) {
    expect(isShared(peer), peer).toBe(false);
  }
});

test("keeps an entry that is not an address", () => {
  for (const odd of ["unknown", "1.2.3.4:port"]) expect(behindProxy(odd)?.host).toBe(odd);
});
