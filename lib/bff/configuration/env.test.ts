import { expect, onTestFinished, test, vi } from "vitest";
import { ConfigurationError, configurationWarnings, type Environment, readConfig } from "./env.ts";
import { loadOptional } from "./optional-package.ts";
import { requireNode } from "./runtime.ts";

const good: Environment = {
  APP_ORIGIN: "https://shop.example",
  CHAT_BASE_URL: "https://api.example",
  CHAT_CHANNEL_KEY: "dep_demo_shop",
  CHAT_KEY: "ck_0123456789",
  SESSION_SECRET: "Zx3kQ8vT1mB7yRw5Nc9Lh2Jd6Pf4Gs0a",
};

function problemsOf(environment: Environment): ConfigurationError {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("expected a problem");
}

test("has defaults for every variable except the Chat API's and the secret", () => {
  const { CHAT_BASE_URL, CHAT_CHANNEL_KEY, CHAT_KEY, SESSION_SECRET } = good;
  expect(readConfig({ CHAT_BASE_URL, CHAT_CHANNEL_KEY, CHAT_KEY, SESSION_SECRET, PORT: "3140" })).toEqual({
    production: true,
    appOrigin: "http://localhost:3140",
    upstream: { baseUrl: "https://api.example", channelKey: "dep_demo_shop", chatKey: "ck_0123456789" },
    sessionSecrets: [SESSION_SECRET],
    redisUrl: undefined,
    trustProxyHops: 0,
    maxStreams: 200,
    maxChatsPerDay: 5_000,
    imageHosts: [],
    logLevel: "info",
    metricsToken: undefined,
    cspReportUrl: undefined,
  });
});

test("reports all missing variables of an empty environment at once", () => {
  expect(problemsOf({}).problems.map(({ variable }) => variable)).toEqual([
    "CHAT_BASE_URL",
    "CHAT_CHANNEL_KEY",
    "CHAT_KEY",
    "SESSION_SECRET",
  ]);
});

test("names each invalid variable with a remedy and without its value", () => {
  const wrong: Environment = {
    APP_ORIGIN: "https://shop.example/path-7391",
    CHAT_BASE_URL: "ftp://api-7391.example",
    CHAT_CHANNEL_KEY: "DEP-7391",
    CHAT_KEY: "sk_7391",
    SESSION_SECRET: "short-7391",
    REDIS_URL: "http://redis-7391",
    TRUST_PROXY_HOPS: "7391",
    MAX_STREAMS: "7391 of them",
    MAX_CHATS_PER_DAY: "-7391",
    IMAGE_HOSTS: "https://user@cdn-7391.example",
    LOG_LEVEL: "loud-7391",
    METRICS_TOKEN: "7391",
    CSP_REPORT_URL: "7391",
    OTEL_EXPORTER_OTLP_ENDPOINT: "collector-7391",
  };
  const error = problemsOf(wrong);
  expect(error.problems.map(({ variable }) => variable)).toEqual(Object.keys(wrong));
  for (const { remedy } of error.problems) expect(remedy.length).toBeGreaterThan(20);
  expect(error.message).not.toContain("7391");
});

test("names a value in quotes, and reads what is inside", () => {
  for (const [open, close] of ['""', "''", "“”", "„“"]) {
    const { problems } = problemsOf({ ...good, CHAT_BASE_URL: `${open}https://api.example${close}` });
    expect(problems).toEqual([{ variable: "CHAT_BASE_URL", remedy: expect.stringContaining("quotes") }]);
  }
});

test("rejects a malformed chat key without printing it", () => {
  for (const key of ["ck_se\ncret", "ck_se cret", "ck_secret€", "secret", "ck_", "ck_a\r\nx: y"]) {
    const error = problemsOf({ ...good, CHAT_KEY: key });
    expect(error.problems.map(({ variable }) => variable)).toEqual(["CHAT_KEY"]);
    expect(error.message).not.toContain(key.slice(3, 7) || "impossible");
  }
  expect(problemsOf({ ...good, CHAT_KEY: "" }).problems).toHaveLength(1);
});

test("accepts plain http only for loopback addresses", () => {
  for (const origin of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"]) {
    expect(readConfig({ ...good, APP_ORIGIN: origin, CHAT_BASE_URL: origin }).appOrigin).toBe(origin);
  }
  const error = problemsOf({
    ...good,
    APP_ORIGIN: "http://192.168.1.5:3000",
    CHAT_BASE_URL: "http://api.example",
  });
  expect(error.problems.map(({ variable }) => variable)).toEqual(["APP_ORIGIN", "CHAT_BASE_URL"]);
});

test("keeps a base URL's path, removes its trailing slash and rejects a version", () => {
  const baseUrl = (CHAT_BASE_URL: string) => readConfig({ ...good, CHAT_BASE_URL }).upstream.baseUrl;
  expect(baseUrl("https://api.example/chat/")).toBe("https://api.example/chat");
  for (const wrong of [
    "https://api.example/v1",
    "https://api.example/v1/channels",
    "https://a:b@api.example",
    "https://api.example?x=1",
  ]) {
    expect(problemsOf({ ...good, CHAT_BASE_URL: wrong }).problems).toHaveLength(1);
  }
});

test("accepts two secrets for a rotation and rejects three", () => {
  const [one, two, three] = ["1".repeat(32), "2".repeat(32), "3".repeat(32)];
  expect(readConfig({ ...good, SESSION_SECRET: `${one}, ${two}` }).sessionSecrets).toEqual([one, two]);
  expect(problemsOf({ ...good, SESSION_SECRET: `${one},${two},${three}` }).problems).toHaveLength(1);
  expect(problemsOf({ ...good, SESSION_SECRET: `${one},short` }).problems).toHaveLength(1);
});

test("accepts any percent-encoded character in the Redis password", () => {
  const redis = (password: string) => ({ ...good, REDIS_URL: `redis://:${password}@127.0.0.1:6379` });
  expect(readConfig(redis("50%25%20off")).redisUrl).toContain("50%25%20off");
  expect(problemsOf({ ...good, REDIS_URL: "redis:/x" }).problems).toHaveLength(1);
  for (const password of ["50%off", "%ff"]) {
    const error = problemsOf(redis(password));
    expect(error.problems.map(({ variable }) => variable)).toEqual(["REDIS_URL"]);
    expect(error.message).not.toContain(password);
  }
});

test("accepts IMAGE_HOSTS as host names or https origins", () => {
  expect(readConfig({ ...good, IMAGE_HOSTS: "cdn.example, https://img.example:8443" }).imageHosts).toEqual([
    "https://cdn.example",
    "https://img.example:8443",
  ]);
  expect(problemsOf({ ...good, IMAGE_HOSTS: "*" }).problems).toHaveLength(1);
  expect(problemsOf({ ...good, IMAGE_HOSTS: "http://cdn.example" }).problems).toHaveLength(1);
  expect(problemsOf({ ...good, IMAGE_HOSTS: "cdn.example; script-src *" }).problems).toHaveLength(1);
});

test("accepts only decimal whole numbers within their range", () => {
  const numbers = { TRUST_PROXY_HOPS: "2", MAX_STREAMS: "1000", MAX_CHATS_PER_DAY: "250" };
  expect(readConfig({ ...good, ...numbers })).toMatchObject({
    trustProxyHops: 2,
    maxStreams: 1_000,
    maxChatsPerDay: 250,
  });
  for (const name of Object.keys(numbers)) {
    for (const wrong of ["-1", "1.5", "1e2", "0x10", "many", "10000001"]) {
      const { problems } = problemsOf({ ...good, [name]: wrong });
      expect(
        problems.map(({ variable }) => variable),
        wrong,
      ).toEqual([name]);
    }
  }
  expect(readConfig({ ...good, TRUST_PROXY_HOPS: "0" }).trustProxyHops).toBe(0);
  for (const name of ["MAX_STREAMS", "MAX_CHATS_PER_DAY"]) {
    expect(problemsOf({ ...good, [name]: "0" }).problems, name).toHaveLength(1);
  }
});

test("warns about an https shop without trusted proxies, and about a shop that only this machine can use", () => {
  const warnings = (more: Environment) =>
    configurationWarnings(readConfig({ ...good, ...more })).map(({ variable }) => variable);
  expect(warnings({})).toEqual(["TRUST_PROXY_HOPS"]);
  expect(warnings({ TRUST_PROXY_HOPS: "0" })).toEqual(["TRUST_PROXY_HOPS"]);
  expect(warnings({ TRUST_PROXY_HOPS: "1" })).toEqual([]);
  const local = { APP_ORIGIN: "http://localhost:3000" };
  expect(warnings(local)).toEqual(["APP_ORIGIN"]);
  expect(warnings({ ...local, NODE_ENV: "development" })).toEqual([]);
  expect(warnings({ ...local, CHAT_BASE_URL: "http://127.0.0.1:4010" })).toEqual([]);
});

test("warns about a secret that somebody may guess", () => {
  const warns = (SESSION_SECRET: string) =>
    configurationWarnings(readConfig({ ...good, TRUST_PROXY_HOPS: "1", SESSION_SECRET })).map(
      ({ variable }) => variable,
    );
  const random = good["SESSION_SECRET"] ?? "";
  for (const guessable of [
    "changeme-changeme-changeme-changeme",
    "complex_password_at_least_32_characters_long",
    "12345678901234567890123456789012",
    `${random},${"s".repeat(32)}`,
  ])
    expect(warns(guessable), guessable).toEqual(["SESSION_SECRET"]);
  for (const strong of [random, "0f3a9c1be7d24856a1b0c9d8e7f60514", `${random}, ${random}x`])
    expect(warns(strong), strong).toEqual([]);
});

const remedy = (node: string) => `Node.js: must be 22.19 or newer; this is ${node}.`;

test("names the oldest Node that the chat server supports", () => {
  for (const node of ["22.19.0", "24.0.0"]) expect(() => requireNode({ node })).not.toThrow();
  for (const node of ["20.20.2", "22.18.9"]) expect(() => requireNode({ node })).toThrow(remedy(node));
});

/** Makes `require` throw this. */
function failToLoad(thrown: unknown): void {
  const builtin = vi.spyOn(process, "getBuiltinModule").mockReturnValue({
    createRequire: () => () => {
      throw thrown;
    },
  });
  onTestFinished(() => builtin.mockRestore());
}

test("knows a missing package by the error's code, whatever the runtime's words", () => {
  const inNode = Object.assign(new Error("Cannot find module 'ioredis'"), { code: "MODULE_NOT_FOUND" });
  const inBun = { code: "ERR_MODULE_NOT_FOUND", message: 'Cannot find package "ioredis" from "/app"' };
  for (const missing of [inNode, inBun]) {
    failToLoad(missing);
    expect(loadOptional("ioredis")).toBeUndefined();
  }
});

test("passes on an installed package's own failure", () => {
  failToLoad(new Error("ioredis needs another Node"));
  expect(() => loadOptional("ioredis")).toThrow("ioredis needs another Node");
});
