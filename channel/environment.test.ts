import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EnvironmentError, readEnvironment } from "./environment.ts";
import { keptKey } from "./kept-key.ts";

function faultsOf(variables: Record<string, string>): readonly string[] {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.faults;
    throw error;
  }
  return [];
}

test("nothing needs to be set", () => {
  expect(readEnvironment({})).toMatchObject({
    host: "127.0.0.1",
    port: 4010,
    databaseUrl: ".data/channel",
    dataDir: ".data",
    channelKey: "dep_demo_shop",
    chatKey: undefined,
    lab: false,
    shopDir: "lib/shop",
    shopOrigin: "http://localhost:3000",
    agentPace: undefined,
    model: undefined,
    logLevel: "info",
  });
});

test("what is given is used, trimmed; what is empty counts as absent", () => {
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
    lab: true,
  });
  expect(readEnvironment({ PORT: "3111" }).shopOrigin).toBe("http://localhost:3111");
  expect(readEnvironment({ CHANNEL_DATABASE_URL: "memory://" }).databaseUrl).toBe("memory://");
});

test("every fault is named at once, with its remedy and without its value", () => {
  const variables = {
    CHANNEL_PORT: "99999",
    CHANNEL_AGENT_PACE: "fast-secret",
    CHAT_KEY: "secret key",
    CHANNEL_TEAM_KEY: "secret",
    CHAT_CHANNEL_KEY: "dep_SECRET",
    CHANNEL_DATABASE_URL: "mysql://user:secret@host/x",
    APP_ORIGIN: "shop.example/secret",
    LOG_LEVEL: "secret",
    CHANNEL_LAB: "yes",
    CHANNEL_KILL_AT: "K13",
  };
  const faults = faultsOf(variables);
  expect(faults.map((fault) => fault.split(":")[0]).toSorted()).toEqual(Object.keys(variables).toSorted());
  expect(faults.join("\n")).not.toMatch(/secret/i);
});

test("#37 a key with a line break, a space or another prefix is refused", () => {
  for (const key of ["ck_a\nb", "ck_a b", "ck_", "sk_abc", "ck_€", "CK_abc"])
    expect(faultsOf({ CHAT_KEY: key }), key).toHaveLength(1);
});

test("#170 the lab is refused where others could reach it", () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.5", "channel.example"])
    expect(faultsOf({ CHANNEL_LAB: "1", CHANNEL_HOST: host })[0]).toContain("CHANNEL_LAB");
  for (const host of ["127.0.0.1", "127.0.0.53", "localhost", "::1"])
    expect(faultsOf({ CHANNEL_LAB: "1", CHANNEL_HOST: host })).toEqual([]);
});

test("a key is made once, kept, and readable by its user only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "shop-chat-keys-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const keys = await Promise.all([1, 2, 3].map(() => keptKey(dataDir, "chat-key", "ck_")));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^ck_[A-Za-z0-9_-]{43}$/);
  const kept = (await readFile(join(dataDir, "chat-key"), "utf8")).trim();
  expect(await keptKey(dataDir, "chat-key", "ck_")).toBe(kept);
  expect((await stat(join(dataDir, "chat-key"))).mode & 0o777).toBe(0o600);
  await writeFile(join(dataDir, "chat-key"), "not a key\n");
  await expect(keptKey(dataDir, "chat-key", "ck_")).rejects.toThrow("delete the file");
});

test("a model needs an address and a name; its key is its own affair", () => {
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
