/** `shop-chat serve` as a process beside a host in another language: who is signed in, over HTTP. */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { signed } from "../../lib/bff/testing/hostile-tokens.ts";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { root } from "../../processes/root.ts";
import { listenLocally } from "../../testing/local-server.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { chatServerVariables, lab } from "../support/lab.ts";
import { pageHeaders } from "./shop-browser.ts";

const origin = "http://localhost:3000";
const secret = "a secret of the host with 32 characters or more";
const key = new TextEncoder().encode(secret);
const hs256 = { alg: "HS256" };

/** The command runs without the settings files of this repository. */
const command = { args: [join(root, "scripts/command.ts"), "serve"], cwd: tmpdir() };

async function startSidecar(customer: Record<string, string>) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    name: "the chat server",
    ...command,
    healthUrl: `${address}/api/chat/health/live`,
    env: {
      NODE_ENV: "production",
      PORT: String(port),
      APP_ORIGIN: origin,
      ...chatServerVariables,
      TRUST_PROXY_HOPS: "2",
      ...customer,
    },
  });
  return {
    program,
    call: (method: string, path: string, headers: Record<string, string> = {}, basePath = "/api/chat") =>
      fetch(address + basePath + path, {
        method,
        headers: {
          ...pageHeaders,
          origin,
          ...(method === "POST" && { "content-type": "application/json", "idempotency-key": randomUUID() }),
          ...headers,
        },
        ...(method === "POST" && { body: "{}" }),
      }),
  };
}

type Sidecar = Awaited<ReturnType<typeof startSidecar>>;

/** Returns whom the chat server names for a page with these headers, and whether it serves Ada's chat. */
async function outcomeOf({ call }: Sidecar, headers: Record<string, string>, chatId: string) {
  const started = await call("POST", "/session", headers);
  if (!started.ok) return { status: started.status };
  const [guest] = started.headers.getSetCookie().map((text) => text.split(";", 1).join(""));
  const cookie = [headers["cookie"], guest].filter((pair) => pair !== undefined).join("; ");
  const { item } = await started.json();
  const read = await call("GET", `/chats/${chatId}`, { ...headers, cookie });
  await read.body?.cancel();
  return { customer: item.customer?.id ?? null, status: read.status };
}

async function chatOf({ call }: Sidecar, headers: Record<string, string>): Promise<string> {
  await call("POST", "/session", headers);
  const created = await call("POST", "/chats", headers);
  expect(created.status).toBe(201);
  return (await created.json()).item.id;
}

test("serves a customer's chat for the host's token alone", async () => {
  const sidecar = await startSidecar({ CUSTOMER_JWT_SECRET: secret, CUSTOMER_COOKIE: "__Host-customer" });
  const withToken = (...tokens: string[]) => ({
    cookie: tokens.map((token) => `__Host-customer=${token}`).join("; "),
  });
  const [good, bo] = [await signed(key, hs256), await signed(key, hs256, { sub: "bo" })];
  const chatId = await chatOf(sidecar, withToken(good));
  const guest = { customer: null, status: 404 };
  // `token-customer.test.ts` tries every hostile token.
  const forged = await signed(new TextEncoder().encode(`${secret}!`), hs256);
  for (const [what, headers, outcome] of [
    ["the customer", withToken(good), { customer: "ada", status: 200 }],
    ["another customer", withToken(bo), { customer: "bo", status: 404 }],
    ["another key", withToken(forged), guest],
    ["twice", withToken(good, bo), guest],
    ["in a header", { authorization: `Bearer ${good}` }, guest],
  ] as const)
    expect(await outcomeOf(sidecar, headers, chatId), what).toEqual(outcome);
  await sidecar.program.stop();
  expect(sidecar.program.output()).toContain("A customer's token was refused");
  for (const text of [secret, good, testKeys.chatKey]) expect(sidecar.program.output()).not.toContain(text);
});

test("refuses a caller whom the host does not name, and follows the host at once", async () => {
  let answer = { status: 200, body: '{"id":"ada","name":"Ada"}' };
  const host = createServer((_, response) => {
    response.writeHead(answer.status, { location: "/sign-in", "content-type": "application/json" });
    response.end(answer.body);
  });
  const url = `http://127.0.0.1:${await listenLocally(host)}/chat-customer`;
  const sidecar = await startSidecar({ CUSTOMER_URL: url });
  const cookie = { cookie: "sid=1" };
  const chatId = await chatOf(sidecar, cookie);
  expect(await outcomeOf(sidecar, cookie, chatId)).toEqual({ customer: "ada", status: 200 });
  answer = { status: 200, body: "null" };
  expect(await outcomeOf(sidecar, cookie, chatId)).toEqual({ customer: null, status: 404 });
  answer = { status: 302, body: "" };
  expect(await outcomeOf(sidecar, cookie, chatId)).toEqual({ status: 503 });
  answer = { status: 200, body: '{"id":"ada"}' };
  expect(await outcomeOf(sidecar, cookie, chatId)).toEqual({ customer: "ada", status: 200 });
  host.close();
  host.closeAllConnections();
  expect(await outcomeOf(sidecar, cookie, chatId)).toEqual({ status: 503 });
  await sidecar.program.stop();
  expect(sidecar.program.output()).toContain("CUSTOMER_URL answered 302");
});

test("serves two agents whose cookies, chats, limits, logs and metrics are apart", async () => {
  const german = await lab.createChannel({ chats: [] });
  const file = join(tmpdir(), `shop-chat-agents-${randomUUID()}.json`);
  const limited = { MAX_CHATS_PER_DAY: "1" };
  const agents = {
    "/api/chat": { CHAT_CHANNEL_KEY: testKeys.channelKey, CHAT_KEY: "env:KEY_EN" },
    "/de/chat": { CHAT_CHANNEL_KEY: german.channelKey, CHAT_KEY: "env:KEY_DE", ...limited },
  };
  writeFileSync(file, JSON.stringify(agents));
  const metricsToken = "a-token-of-the-metrics";
  const { program, call } = await startSidecar({
    CHAT_AGENTS: file,
    KEY_EN: testKeys.chatKey,
    KEY_DE: german.chatKey,
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: "info",
  });
  rmSync(file);
  const paths = Object.keys(agents);
  const begin = async (path: string) => {
    const started = await call("POST", "/session", {}, path);
    const cookie = started.headers.getSetCookie().map((text) => text.split(";", 1).join(""))[0] ?? "";
    const created = await call("POST", "/chats", { cookie }, path);
    expect(created.status).toBe(201);
    return { path, cookie, chat: (await created.json()).item };
  };
  const begun = await Promise.all(paths.map(begin));
  expect(begun.map(({ chat }) => chat.channelKey)).toEqual([testKeys.channelKey, german.channelKey]);
  const names = begun.map(({ cookie }) => cookie.split("=", 1)[0]);
  expect(new Set(names).size).toBe(2);
  // A browser sends both cookies to both.
  const cookie = begun.map((each) => each.cookie).join("; ");
  for (const { path, chat } of begun)
    for (const other of paths) {
      const read = await call("GET", `/chats/${chat.id}`, { cookie }, other);
      expect(read.status, `${chat.id} at ${other}`).toBe(other === path ? 200 : 404);
    }
  const again = paths.map(async (path) => (await call("POST", "/chats", { cookie }, path)).status);
  expect(await Promise.all(again)).toEqual([201, 429]);
  for (const path of paths) {
    const metrics = await call("GET", "/metrics", { authorization: `Bearer ${metricsToken}` }, path);
    const text = await metrics.text();
    for (const other of paths) expect(text.includes(`chat="${other}"`)).toBe(other === path);
  }
  expect((await call("GET", "/session", { cookie }, "/elsewhere")).status).toBe(404);
  await program.stop();
  const lines = program.output().split("\n");
  const logged = lines.filter((line) => line.includes('"createChat"')).map((line) => JSON.parse(line).chat);
  expect(logged.toSorted()).toEqual([paths[0], paths[0], paths[1], paths[1]]);
  await german[Symbol.asyncDispose]();
});

test("names every problem of its environment and ends", async () => {
  const program = new Program({
    name: "the chat server",
    ...command,
    env: { NODE_ENV: "production", PORT: "80a0", CUSTOMER_JWT_SECRET: "short", CHAT_KEY: "dep_demo" },
    onEnd: () => undefined,
  });
  expect(await program.ended).toBe(1);
  for (const name of [
    "PORT",
    "APP_ORIGIN",
    "CHAT_BASE_URL",
    "CHAT_KEY",
    "SESSION_SECRET",
    "CUSTOMER_JWT_SECRET",
    "CUSTOMER_COOKIE",
  ])
    expect(program.output()).toContain(`  ${name}: `);
});

test("names a port that is none beside settings that can be used", async () => {
  const program = new Program({
    name: "the chat server",
    ...command,
    env: { NODE_ENV: "production", PORT: "80a0", APP_ORIGIN: origin, ...chatServerVariables },
    onEnd: () => undefined,
  });
  expect(await program.ended).toBe(1);
  expect(program.output()).toContain("  PORT: must be a port number");
});
