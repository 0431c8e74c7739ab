/**
 * Secrets in responses and logs. `e2e/bff` searches the build for secrets, next.services.test.ts
 * proves that browser code cannot import the server, and env.test.ts covers configuration problems.
 */
import { createServer } from "node:net";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../processes/free-port.ts";
import { listenLocally } from "../../../testing/local-server.ts";
import { aStart } from "../../chat-client/testing/streams.ts";
import { readConfig } from "../configuration/env.ts";
import { cleanLine, secretsOf } from "../observability/log.ts";
import {
  callOperation,
  hostilePeer,
  maya,
  ownBff,
  ownerOfChat,
  sharedBff,
  signedIn,
} from "../testing/hostile-set-up.ts";
import { errorBody, testChannelKey } from "../testing/hostile-upstream.ts";
import { canaryKey, testEnvironment, testSecret } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);
beforeEach(() => {
  t.rawLines.length = 0;
});

/** The parts of a response that a browser can read. */
async function everythingOf(response: Response): Promise<string> {
  return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
}

test("leaks no key from an error's message, code or ID, or from an error page", async () => {
  const hostile = ownBff(environment);
  const browser = await ownerOfChat(hostile, upstream);
  const responses = [
    () =>
      upstream.respond("GET /chats/chat_0001/messages", 400, {
        error: {
          code: "invalid_request",
          message: `bad key ${canaryKey}`,
          requestId: canaryKey,
          field: `/${canaryKey}`,
        },
      }),
    () =>
      upstream.on("GET /chats/chat_0001/messages", (_, response) => {
        response.writeHead(502, { "content-type": "text/html", "x-request-id": canaryKey });
        response.end(`<h1>Bad gateway for ${canaryKey}</h1>`);
      }),
    () =>
      upstream.on("GET /chats/chat_0001/messages", (_, response) => {
        response.writeHead(401, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { code: canaryKey, message: canaryKey } }));
      }),
  ];
  for (const arrange of responses) {
    arrange();
    const text = await everythingOf(await browser.get("/api/chat/chats/chat_0001/messages"));
    // `field` is returned unchanged: it points into the request, which never contained the key.
    expect(text.replaceAll(`"/${canaryKey}"`, "")).not.toContain(canaryKey);
  }
  expect(hostile.rawLines.length).toBeGreaterThan(responses.length);
  expect(hostile.rawLines.join("")).not.toContain(canaryKey);
});

test("names no host, port or system error of an unreachable address", async () => {
  const server = createServer((socket) => void socket.destroy());
  const resets = await listenLocally(server);
  onTestFinished(() => void server.close());
  const bases = [
    `http://127.0.0.1:${await freePort()}`,
    `http://127.0.0.1:${resets}`,
    "http://no-such-host.localhost:1",
    `https://127.0.0.1:${resets}`,
  ];
  for (const channelUrl of bases) {
    const unreachable = ownBff(testEnvironment({ channelUrl, channelKey: testChannelKey }));
    const browser = await signedIn(unreachable);
    const response = await browser.get("/api/chat/chats/chat_0001");
    expect(response.status, channelUrl).toBe(502);
    const text = await everythingOf(response);
    expect(text).not.toMatch(/127\.0\.0\.1|no-such-host|ECONN|ENOTFOUND|EAI_|SSL|socket|at \w+ \(|node:/);
    expect(JSON.parse(text.split("\n")[1] ?? "").error.code).toBe("upstream_unreachable");
    expect(unreachable.lines.some(({ event }) => event === "upstream_unreachable")).toBe(true);
  }
}, 60_000);

test("redacts every configured secret, and the Redis password encoded and decoded", () => {
  const config = readConfig({
    ...environment,
    SESSION_SECRET: `${"n".repeat(32)},${"o".repeat(32)}`,
    METRICS_TOKEN: "a-token-for-the-metrics",
    REDIS_URL: "redis://:pass%2Fword@127.0.0.1:6379",
  });
  const line = [...config.sessionSecrets, config.metricsToken, config.redisUrl, "pass/word", canaryKey].join(
    " ",
  );
  expect(cleanLine(line, secretsOf(config))).toBe(
    "[secret] [secret] [secret] redis://:[secret]@127.0.0.1:6379 [secret] [secret]",
  );
});

test("redacts a secret that JSON escapes", () => {
  const secret = 'a "quoted" secret \\ of thirty-two';
  const line = JSON.stringify({ msg: `Bearer ${secret}` });
  const config = readConfig({ ...environment, SESSION_SECRET: secret });
  expect(cleanLine(line, secretsOf(config))).toBe('{"msg":"Bearer [secret]"}');
});

test("logs an internal error inside a stream without the key, and does not send it", async () => {
  const browser = await ownerOfChat(t, upstream);
  vi.spyOn(t.bff.upstream, "client").mockReturnValue({
    ...t.bff.upstream.client(),
    streamMessage: () => ({
      replayed: () => false,
      async read(onEvent) {
        onEvent(aStart());
        throw new TypeError(`Bearer ${canaryKey}`);
      },
    }),
  });
  const text = await (await callOperation(browser, "sendMessage", undefined, "text/event-stream")).text();
  expect(text).toContain('"code":"internal_error"');
  expect(text).not.toContain(canaryKey);
  const errors = t.rawLines.filter((line) => line.includes('"event":"unexpected_error"'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain("Bearer [secret]");
});

test("redacts the key in an internal error's message and cause", async () => {
  const browser = await signedIn(t);
  const cause = new Error(`${testSecret} and ${canaryKey}`);
  vi.spyOn(t.bff.ownership, "require").mockRejectedValue(new Error(`Bearer ${canaryKey}`, { cause }));
  const response = await browser.get("/api/chat/chats/chat_0001");
  expect(response.status).toBe(500);
  expect(await everythingOf(response)).not.toContain(canaryKey);
  const error = t.rawLines.find((line) => line.includes('"event":"unexpected_error"')) ?? "";
  expect(error).toContain("Bearer [secret]");
  expect(error).not.toMatch(new RegExp(`${canaryKey}|${testSecret}`));
});

test("escapes control characters so that a log line stays one line", () => {
  const hostile = 'a\nb\u001b[2J\u009b31m\u0085\u2028\u2029\u202e\u2066\u200f\ufeff"';
  const line = cleanLine(`${JSON.stringify({ reason: hostile })}\n`, []);
  expect(line.trimEnd()).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(line).reason).toBe(hostile);
});

test("logs no text, email address, name, answer, cookie or key of a customer", async () => {
  const browser = await ownerOfChat(t, upstream);
  const words = ["TEXT7731", "mail7731@example.com", "NAME7731", "ANSWER7731", "CURSOR7731", "key7731-abc"];
  const [text, email, name, response, cursor, key] = words;
  const form = new FormData();
  form.append("file", new Blob([String(text)], { type: "text/plain" }), `${name}.txt`);
  const headers = { "idempotency-key": String(key) };
  const sends = [
    browser.post("/api/chat/chats/chat_0001/messages", { text }, headers),
    browser.post("/api/chat/chats/chat_0001/handoff", { confirmationId: "c", email }, headers),
    browser.post(
      "/api/chat/chats/chat_0001/collection",
      { collectionRequestId: null, expectedVersion: 1, action: "save", values: { f: response } },
      headers,
    ),
    browser.send("/api/chat/chats/chat_0001/files", { method: "POST", body: form, headers }),
    browser.get(`/api/chat/chats/chat_0001/messages?cursor=${cursor}`),
    browser.get(`/api/${text}`),
    browser.post("/api/chat/chats/chat_0001/messages", { text, [String(response)]: 1 }, headers),
  ];
  upstream.respond("POST /chats/chat_0001/messages", 409, errorBody("chat_closed"));
  await Promise.all(sends);
  const lines = t.rawLines.join("");
  expect(t.rawLines.length).toBeGreaterThanOrEqual(sends.length);
  for (const word of [...words, String(browser.hostCookie).slice(5), canaryKey, testSecret, maya]) {
    expect(lines, word).not.toContain(word);
  }
});

test("logs one line per request with both request IDs, route, status and duration", async () => {
  const browser = await ownerOfChat(t, upstream);
  t.lines.length = 0;
  const response = await browser.get("/api/chat/chats/chat_0001");
  expect(t.lines).toEqual([
    {
      level: "info",
      time: expect.any(String),
      service: "bff",
      event: "request",
      requestId: response.headers.get("x-request-id"),
      route: "getChat",
      method: "GET",
      status: 200,
      session: expect.stringMatching(/^[\w-]{8}$/),
      upstreamStatus: 200,
      upstreamRequestId: "up_1",
      milliseconds: expect.any(Number),
    },
  ]);
});
