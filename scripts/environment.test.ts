import { expect, test } from "vitest";
import { addresses, nextArguments } from "./environment.ts";

test("the launchers ask for the shop where it listens, whatever its host", () => {
  const localOf = (host?: string) =>
    addresses({ NODE_ENV: "test", PORT: "3160", ...(host === undefined ? {} : { HOST: host }) }).local;
  expect(localOf()).toBe("http://127.0.0.1:3160");
  expect(localOf("192.0.2.7")).toBe("http://192.0.2.7:3160");
  expect(localOf("localhost")).toBe("http://localhost:3160");
  expect(localOf("::1")).toBe("http://[::1]:3160");
  expect(localOf("0.0.0.0")).toBe("http://127.0.0.1:3160");
  expect(localOf("::")).toBe("http://[::1]:3160");
});

test("the channel is asked for at an address, too, when it listens at all of them", () => {
  expect(addresses({ NODE_ENV: "test", CHANNEL_HOST: "0.0.0.0" }).channel).toBe("http://127.0.0.1:4010");
  expect(addresses({ NODE_ENV: "test", CHANNEL_HOST: "::1" }).channel).toBe("http://[::1]:4010");
});

test("the production server keeps idle connections longer than the proxy in front of it", () => {
  const args = nextArguments("start", { NODE_ENV: "test" });
  expect(Number(args[args.indexOf("--keepAliveTimeout") + 1])).toBeGreaterThan(60_000);
  expect(nextArguments("dev", { NODE_ENV: "test" })).not.toContain("--keepAliveTimeout");
});
