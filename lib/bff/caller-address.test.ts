import { expect, test } from "vitest";
import { callerAddress } from "./caller-address.ts";

test("the caller's address is as many entries from the right as there are proxies", () => {
  const address = (header: string | undefined, hops: number) =>
    callerAddress(
      new Request(
        "https://shop.example",
        header === undefined ? {} : { headers: { "x-forwarded-for": header } },
      ),
      hops,
    );
  expect(address("1.1.1.1, 2.2.2.2, 3.3.3.3", 0)).toBeUndefined();
  expect(address("1.1.1.1, 2.2.2.2, 3.3.3.3", 1)).toBe("3.3.3.3");
  expect(address("1.1.1.1, 2.2.2.2, 3.3.3.3", 2)).toBe("2.2.2.2");
  expect(address("1.1.1.1", 2)).toBeUndefined();
  // Some proxies write the port, which is another one for each connection.
  for (const port of ["1024", "65535"]) {
    expect(address(`3.3.3.3:${port}`, 1)).toBe("3.3.3.3");
    expect(address(`[2001:db8:1:2::3]:${port}`, 1)).toBe("2001:db8:1:2");
  }
  expect(address(undefined, 1)).toBeUndefined();
  expect(address("", 1)).toBeUndefined();
});

test("an address of IPv6 counts with its network, one of IPv4 by itself, however it is written", () => {
  const address = (forwarded: string) =>
    callerAddress(
      new Request("https://shop.example", { headers: { "x-forwarded-for": `6.6.6.6, ${forwarded}` } }),
      1,
    );
  const one = address("2001:db8:1:2::1");
  for (const same of ["2001:db8:1:2:ffff:1:2:3", "2001:0DB8:0001:0002::", "2001:db8:1:2:0:0:0:9"])
    expect(address(same), same).toBe(one);
  for (const other of ["2001:db8:1:3::1", "2001:db8::1", "::1"]) expect(address(other), other).not.toBe(one);
  for (const mapped of ["::ffff:192.0.2.7", "::FFFF:c000:207", "0:0:0:0:0:ffff:c000:0207"])
    expect(address(mapped), mapped).toBe("192.0.2.7");
  expect(address("192.0.2.7")).toBe("192.0.2.7");
  expect(address("192.0.2.8")).not.toBe("192.0.2.7");
  // What is no address is taken as it stands.
  for (const odd of ["unknown", "fe80::1%eth0", "1.2.3.4:port"]) expect(address(odd)).toBe(odd);
});
