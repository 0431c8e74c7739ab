import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EnvironmentError, readEnvironment } from "./environment.ts";
import { loadOrCreateKey } from "./stored-key.ts";

function faultsOf(variables: Record<string, string>): readonly string[] {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  return [];
}

test("trims values and treats empty ones as absent", () => {
  expect(
    readEnvironment({
      CHANNEL_PORT: " 4120 ",
      CHANNEL_HOST: "",
      CHANNEL_DATA_DIR: "/data",
      APP_ORIGIN: "https://shop.example/",
      CHANNEL_AGENT_PACE: "0",
      CHANNEL_LAB: "1",
    }),
  ).toMatchObject({
    port: 4120,
    host: "127.0.0.1",
    databaseUrl: "/data/channel",
    shopOrigin: "https://shop.example",
    agentPace: 0,
    lab: "here",
  });
  expect(readEnvironment({ CHANNEL_DATABASE_URL: "memory://" }).databaseUrl).toBe("memory://");
});

test("reports every fault at once, with its remedy and without its value", () => {
  const variables = {
    CHANNEL_PORT: "99999",
    CHANNEL_AGENT_PACE: "fast-secret",
    CHAT_KEY: "secret key",
    CHANNEL_TEAM_KEY: "secret",
    CHANNEL_NOTICE_URL: "http://secret.example",
    CHANNEL_NOTICE_SECRET: "secret",
    CHAT_CHANNEL_KEY: "dep_SECRET",
    CHANNEL_DATABASE_URL: "mysql://user:secret@host/x",
    CHANNEL_DATABASE_DIRECT_URL: "/secret",
    APP_ORIGIN: "shop.example/secret",
    LOG_LEVEL: "secret",
    CHANNEL_LAB: "yes",
    CHANNEL_KILL_AT: "anywhere",
    CHANNEL_SHOP_DIR: "/secret",
  };
  const faults = faultsOf(variables);
  expect(faults.map((fault) => fault.split(":")[0]).toSorted()).toEqual(Object.keys(variables).toSorted());
  expect(faults.map((fault) => fault.replace(/^\w+/, "")).join("\n")).not.toMatch(/secret/i);
});

test("requires https or loopback, and a secret of 24 bytes, for a notice receiver", () => {
  const secret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
  const faults = (url: string, bytes = 24) =>
    faultsOf({ CHANNEL_NOTICE_URL: url, CHANNEL_NOTICE_SECRET: secret(bytes) });
  for (const url of ["https://team.example/notices", "http://127.0.0.1:9000/", "http://[::1]/"])
    expect(faults(url), url).toEqual([]);
  for (const url of ["http://team.example", "https://user:password@team.example", "file:///tmp"])
    expect(faults(url), url).toHaveLength(1);
  for (const bytes of [24, 25, 26, 64]) expect(faults("https://team.example", bytes)).toEqual([]);
  for (const bytes of [23, 65]) expect(faults("https://team.example", bytes)).not.toEqual([]);
  expect(faultsOf({ CHANNEL_NOTICE_URL: "https://team.example" })[0]).toContain("CHANNEL_NOTICE_SECRET");
});

test("refuses the lab on addresses that others can reach", () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.5", "channel.example"])
    expect(faultsOf({ CHANNEL_LAB: "1", CHANNEL_HOST: host })[0]).toContain("CHANNEL_LAB");
  expect(readEnvironment({ CHANNEL_LAB: "anywhere", CHANNEL_HOST: "0.0.0.0" }).lab).toBe("anywhere");
  for (const host of ["127.0.0.1", "127.0.0.53", "localhost", "::1"])
    expect(faultsOf({ CHANNEL_LAB: "1", CHANNEL_HOST: host })).toEqual([]);
});

test("generates a key once, readable by its user only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "shop-chat-keys-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const keys = await Promise.all([1, 2, 3].map(() => loadOrCreateKey(dataDir, "chat-key", "ck_")));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^ck_[A-Za-z0-9_-]{43}$/);
  const kept = (await readFile(join(dataDir, "chat-key"), "utf8")).trim();
  expect(await loadOrCreateKey(dataDir, "chat-key", "ck_")).toBe(kept);
  expect((await stat(join(dataDir, "chat-key"))).mode & 0o777).toBe(0o600);
  await writeFile(join(dataDir, "chat-key"), "not a key\n");
  await expect(loadOrCreateKey(dataDir, "chat-key", "ck_")).rejects.toThrow("delete the file");
});

test("requires an address and a name for a model, but no key", () => {
  const model = { CHANNEL_MODEL_URL: "http://127.0.0.1:9999/v1", CHANNEL_MODEL_NAME: "some-model" };
  expect(readEnvironment(model).model).toEqual({
    url: "http://127.0.0.1:9999/v1",
    name: "some-model",
    key: undefined,
  });
  expect(readEnvironment({ ...model, CHANNEL_MODEL_KEY: "k" }).model?.key).toBe("k");
  expect(faultsOf({ CHANNEL_MODEL_URL: "http://127.0.0.1:9999/v1" })).toHaveLength(1);
  expect(faultsOf({ CHANNEL_MODEL_NAME: "some-model" })).toHaveLength(1);
  expect(faultsOf({ ...model, CHANNEL_MODEL_URL: "ftp://models" })).not.toEqual([]);
});
