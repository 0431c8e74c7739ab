/** The chat server that a host creates: base path, settings, and responses without a configuration. */
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Environment } from "../configuration/env.ts";
import { startHostileUpstream } from "../testing/hostile-upstream.ts";
import { canaryKey, pageHeaders, testEnvironment, testOrigin } from "../testing/test-bff.ts";
import { createChatServer } from "./chat-server.ts";

const upstream = await startHostileUpstream();
afterAll(() => upstream.close());
const configuration = testEnvironment(upstream);

function aServer(options: { basePath?: string; configuration?: Environment; streams?: number } = {}) {
  const lines: Record<string, unknown>[] = [];
  const { streams, ...others } = options;
  const chat = createChatServer({
    configuration,
    ...others,
    limits: { ...(streams === undefined ? {} : { streams }) },
    log: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  onTestFinished(() => chat.stop());
  const get = (path: string) =>
    chat.handle(new Request(testOrigin + path, { headers: pageHeaders }), { peerAddress: "198.51.100.4" });
  return { chat, lines, get };
}

test("answers only below its base path", async () => {
  for (const basePath of ["/api/chat", "/support", "/a/b-c/d.e_f~g"]) {
    const { get } = aServer({ basePath });
    expect((await get(`${basePath}/health/live`)).status).toBe(200);
    for (const path of ["/health/live", `${basePath}x/health/live`, `/x${basePath}/health/live`, basePath]) {
      const response = await get(path);
      expect([response.status, (await response.json()).error.code], path).toEqual([404, "not_found"]);
    }
  }
});

test.each(["", "/", "api/chat", "/api/chat/", "/api//chat", "/api/{chat}", "https://shop.example/chat"])(
  "rejects %o as a base path at construction",
  (basePath) => {
    expect(() => createChatServer({ basePath })).toThrow("basePath must be a path");
  },
);

test("logs to a function or to an object with `write`, and rejects any other log", async () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  for (const log of [write, { write }]) {
    const chat = createChatServer({ configuration, log });
    onTestFinished(() => chat.stop());
    await chat.handle(new Request(`${testOrigin}/api/chat/health/live`));
    expect(JSON.parse(lines.pop() ?? "")).toMatchObject({ event: "request", route: "live", status: 200 });
  }
  // A host may be untyped.
  for (const log of ["stdout", {}, console, null])
    expect(() => createChatServer({ configuration, log: log as never })).toThrow("log must be a function");
});

test("logs each configuration problem once and answers chat_unavailable", async () => {
  const faulty = { ...configuration, CHAT_KEY: "wrong", SESSION_SECRET: "short", CHAT_BASE_URL: "" };
  const { chat, lines, get } = aServer({ configuration: faulty });
  await chat.start();
  for (const path of ["session", "chats/chat_0001", "health/ready", "metrics"]) {
    const response = await get(`/api/chat/${path}`);
    expect([response.status, (await response.json()).error.code], path).toEqual([503, "chat_unavailable"]);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  }
  // Only the chat lacks a configuration: the host's process is alive.
  expect((await get("/api/chat/health/live")).status).toBe(200);
  const problems = lines.filter(({ event }) => event === "configuration_problem");
  expect(problems.map(({ variable }) => variable).toSorted()).toEqual([
    "CHAT_BASE_URL",
    "CHAT_KEY",
    "SESSION_SECRET",
  ]);
  for (const { level, msg } of problems)
    expect([level, String(msg)]).toEqual(["error", expect.stringMatching(/\.$|\)/)]);
  expect(JSON.stringify(lines)).not.toMatch(/"wrong"|"short"/);
});

test("checks the Chat API once at start and refuses requests after stop", async () => {
  const { chat, lines, get } = aServer();
  await chat.start();
  await chat.start();
  await expect.poll(() => lines.filter(({ event }) => event === "started")).toHaveLength(1);
  expect(lines.find(({ event }) => event === "started")).toMatchObject({
    ready: true,
    chat: "/api/chat",
  });
  await chat.stop();
  const response = await get("/api/chat/health/live");
  expect([response.status, (await response.json()).error.code]).toEqual([503, "service_unavailable"]);
  expect(lines.map(({ event }) => event)).toEqual(expect.arrayContaining(["stopping", "stopped"]));
  expect(JSON.stringify(lines)).not.toContain(canaryKey);
});

test("needs no configuration before its first request and can be stopped", async () => {
  const { chat, lines } = aServer({ configuration: { CHAT_KEY: "" } });
  await chat.stop();
  expect(lines).toEqual([]);
});

test("rejects too many query parameters at known and unknown paths", async () => {
  const { get } = aServer();
  for (const path of ["/api/chat/chats/chat_0001/messages", "/nowhere"]) {
    const response = await get(`${path}?${"a=1&".repeat(300)}`);
    expect([response.status, (await response.json()).error.code], path).toEqual([400, "invalid_request"]);
  }
});
