import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, rootCertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { hideSettingsFiles } from "../testing/processes/settings-files.ts";
import {
  addresses,
  agentIn,
  channelEnvironment,
  loadSettings,
  nextArguments,
  settingsFile,
  shopEnvironment,
  strayKeys,
} from "./environment.ts";
import { root } from "./root.ts";

function aFolder(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), "settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("reads a file with a byte order mark, and the environment overrides it", () => {
  const names = ["SETTINGS_TEST_FIRST", "SETTINGS_TEST_GIVEN"];
  onTestFinished(() => {
    for (const name of names) delete process.env[name];
  });
  process.env["SETTINGS_TEST_GIVEN"] = "environment";
  const text = "\ufeffSETTINGS_TEST_FIRST=file\r\nSETTINGS_TEST_GIVEN=file\r\n";
  const settings = loadSettings(join(aFolder({ ".env.local": text }), ".env.local"));
  expect(names.map((name) => settings[name])).toEqual(["file", "environment"]);
});

test("refuses a file in UTF-16 or Latin-1, in which no variable would be found", () => {
  const text = "CHAT_BASE_URL=https://api.example/caf\u00e9\r\n";
  for (const encoding of ["utf16le", "latin1"] as const) {
    const file = join(aFolder({ ".env.local": Buffer.from(text, encoding) }), ".env.local");
    expect(() => loadSettings(file)).toThrow(/\.env\.local is not UTF-8 text.*Save it as UTF-8/);
  }
});

test("trusts a certificate authority from the file in the running process", () => {
  const [authority = ""] = rootCertificates;
  const folder = aFolder({ "ca.pem": authority });
  writeFileSync(join(folder, ".env.local"), `NODE_EXTRA_CA_CERTS=${join(folder, "ca.pem")}\n`);
  const before = { given: process.env["NODE_EXTRA_CA_CERTS"], trusted: getCACertificates() };
  onTestFinished(() => {
    setDefaultCACertificates(before.trusted);
    delete process.env["NODE_EXTRA_CA_CERTS"];
    if (before.given !== undefined) process.env["NODE_EXTRA_CA_CERTS"] = before.given;
  });
  delete process.env["NODE_EXTRA_CA_CERTS"];
  setDefaultCACertificates([]);
  loadSettings(join(folder, ".env.local"));
  // Node returns the certificate with other line lengths.
  expect(getCACertificates().map((one) => one.replace(/\s/g, ""))).toEqual([authority.replace(/\s/g, "")]);
});

test("hides .env.local, which may name a live channel, from tests", () => {
  expect(settingsFile({ NODE_ENV: "test" })).toBeUndefined();
  expect(settingsFile({ NODE_ENV: "production" })).toMatch(/\.env\.local$/);
});

test("hides settings files from Next's server", () => {
  const folder = aFolder({
    ".env.local": "CHAT_KEY=ck_live\nREDIS_URL=redis://shop.example\nPORT=3000\n",
    ".env.production": "CHANNEL_MODEL_URL=https://models.example/v1\n",
  });
  expect(hideSettingsFiles({ NODE_ENV: "production", PORT: "3900" }, folder)).toEqual({
    NODE_ENV: "production",
    PORT: "3900",
    CHAT_KEY: "",
    REDIS_URL: "",
    CHANNEL_MODEL_URL: "",
  });
});

test("warns about keys that are set without the Chat API's address", () => {
  const env = { NODE_ENV: "test" } as const;
  expect(strayKeys(env)).toBeUndefined();
  expect(strayKeys({ ...env, CHAT_BASE_URL: "https://chat.example", CHAT_KEY: "ck_a" })).toBeUndefined();
  expect(strayKeys({ ...env, CHAT_KEY: "ck_a" })).toMatch(/^CHAT_KEY is set and CHAT_BASE_URL is not/);
  expect(strayKeys({ ...env, CHAT_KEY: "ck_a", CHAT_CHANNEL_KEY: "dep_a" })).toMatch(
    /^CHAT_CHANNEL_KEY and CHAT_KEY are set and CHAT_BASE_URL is not/,
  );
  expect(strayKeys({ ...env, CHAT_KEY: "ck_secret" })).not.toContain("ck_secret");
});

test("generates a session secret in development, but not in production", async () => {
  const dataDir = aFolder({});
  const env = { NODE_ENV: "test", CHAT_BASE_URL: "https://chat.example", CHANNEL_DATA_DIR: dataDir } as const;
  const secretOf = async (command: "dev" | "start", variables: NodeJS.ProcessEnv = env) =>
    (await shopEnvironment(command, variables))["SESSION_SECRET"];
  // Two programs that start at the same time get the same secret.
  const [secret, other] = await Promise.all([secretOf("dev"), secretOf("dev")]);
  expect(other).toBe(secret);
  expect(secret).toMatch(/^\S{32,}$/);
  expect(await secretOf("dev")).toBe(secret);
  expect(await secretOf("dev", { ...env, SESSION_SECRET: "given" })).toBe("given");
  expect(await secretOf("start")).toBeUndefined();
});

test("turns the lab on, and gives the shop its key, where only this machine uses the demo", async () => {
  const env = { NODE_ENV: "test", CHAT_KEY: "ck_a", CHANNEL_TEAM_KEY: "tk_a", SESSION_SECRET: "s" } as const;
  const labOf = async (more: NodeJS.Dict<string> = {}) => {
    const variables = { ...env, ...more };
    const { DEMO_LAB_KEY } = await shopEnvironment("start", variables);
    return [channelEnvironment(variables)["CHANNEL_LAB"], DEMO_LAB_KEY];
  };
  expect(await labOf()).toEqual(["1", "tk_a"]);
  for (const elsewhere of [
    { APP_ORIGIN: "https://shop.example" },
    { HOST: "0.0.0.0" },
    { CHANNEL_HOST: "0.0.0.0" },
  ])
    expect(await labOf(elsewhere)).toEqual(["0", undefined]);
  expect(await labOf({ CHANNEL_LAB: "0" })).toEqual(["0", undefined]);
  expect((await labOf({ CHAT_BASE_URL: "https://chat.example" }))[1]).toBeUndefined();
});

test("polls the shop where it listens, whatever its host", () => {
  const localOf = (host?: string) =>
    addresses({ NODE_ENV: "test", PORT: "3160", ...(host === undefined ? {} : { HOST: host }) }).local;
  expect(localOf()).toBe("http://127.0.0.1:3160");
  expect(localOf("192.0.2.7")).toBe("http://192.0.2.7:3160");
  expect(localOf("localhost")).toBe("http://localhost:3160");
  expect(localOf("::1")).toBe("http://[::1]:3160");
  expect(localOf("0.0.0.0")).toBe("http://127.0.0.1:3160");
  expect(localOf("::")).toBe("http://[::1]:3160");
});

test("polls the channel at the loopback address when it listens on all addresses", () => {
  expect(addresses({ NODE_ENV: "test", CHANNEL_HOST: "0.0.0.0" }).channel).toBe("http://127.0.0.1:2428");
  expect(addresses({ NODE_ENV: "test", CHANNEL_HOST: "::1" }).channel).toBe("http://[::1]:2428");
});

test("makes the production server keep idle connections longer than proxies do", () => {
  const args = nextArguments("start", { port: 3000 });
  expect(Number(args[args.indexOf("--keepAliveTimeout") + 1])).toBeGreaterThan(60_000);
  expect(nextArguments("dev", { port: 3000 })).not.toContain("--keepAliveTimeout");
});

test("starts with the sandbox agent where the folder of the demo's agent was removed", () => {
  expect(agentIn(root)).toBe(join(root, "agent", "create-agent.ts"));
  expect(agentIn(join(root, "agent"))).toBe("sandbox");
});
