import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addresses, loadSettings, nextArguments } from "./environment.ts";

test("a file with a byte order mark names the same variables; the environment beats it", () => {
  const folder = mkdtempSync(join(tmpdir(), "settings-"));
  const names = ["SETTINGS_TEST_FIRST", "SETTINGS_TEST_GIVEN"];
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
    for (const name of names) delete process.env[name];
  });
  process.env["SETTINGS_TEST_GIVEN"] = "environment";
  const file = join(folder, ".env.local");
  writeFileSync(file, "\ufeffSETTINGS_TEST_FIRST=file\r\nSETTINGS_TEST_GIVEN=file\r\n");
  const settings = loadSettings(file);
  expect(names.map((name) => settings[name])).toEqual(["file", "environment"]);
});

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
