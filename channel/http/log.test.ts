import { spawn } from "node:child_process";
import { once } from "node:events";
import type { HttpBindings } from "@hono/node-server";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { testChannel, testOrigin } from "../testing/test-channel.ts";
import { withoutKeys } from "./exchange.ts";
import { printable } from "./log.ts";

test("exits after the log's reader has gone away", async () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    const log = createLog("info");
    log.info("ready");
    process.stdin.once("end", () => {
      for (let line = 0; line < 3; line += 1) log.info({ line }, "stopping");
      process.exit(0);
    }).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.stdout.destroy();
  await once(child.stdout, "close");
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

test("logs one JSON line per request, without text, email, cursor or key", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
  const channel = await testChannel({ log });
  const chatId = await channel.createChat({ userId: "customer-secret" });
  const key = "key-secret-0001";
  await channel.send(chatId, { text: "my text is secret, me@example.com" }, { key });
  await channel.send(chatId, { text: "another secret" }, { key });
  await channel.request(`/chats/${chatId}/messages?cursor=secret`);
  await channel.request(`/chats/${chatId}`, { headers: { authorization: "Bearer ck_secret" } });
  await channel.channel.fetch(new Request(`${testOrigin}/console-%1B[2J`));
  expect(lines).toHaveLength(6);
  for (const line of lines) {
    expect(line.trimEnd()).not.toContain("\n");
    expect(JSON.parse(line)).toMatchObject({
      requestId: expect.stringMatching(/^req_/),
      method: expect.any(String),
      status: expect.any(Number),
      milliseconds: expect.any(Number),
    });
  }
  const all = lines.join("");
  for (const secret of ["secret", "example.com", channel.chatKey, "customer"])
    expect(all).not.toContain(secret);
  expect(lines.map((line) => JSON.parse(line).operation)).toEqual([
    "createChat",
    "sendMessage",
    "sendMessage",
    "listMessages",
    "getChat",
    undefined,
  ]);
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({
    status: 409,
    errorCode: "idempotency_conflict",
    chatId,
  });
});

test("logs what other machines ask as the console, and not its polls", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
  const { channel, teamKey } = await testChannel({ log });
  const bindings = { incoming: { socket: { remoteAddress: "127.0.0.1" } } as HttpBindings["incoming"] };
  const headers = { authorization: `Bearer ${teamKey}` };
  const ask = (path: string, sender: string, method = "GET") =>
    channel.fetch(
      new Request(testOrigin + path, { method, headers: { ...headers, "x-console": sender } }),
      bindings,
    );
  await ask("/console", "live");
  await ask("/lab", "page");
  await ask("/lab/reset", "live", "POST");
  await ask("/consoles", "live");
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(["/lab", "/lab/reset", "/consoles"]);
});

test("caller input in the log stays on one line", () => {
  expect(printable("a\nb\u001b[2J\u009b\u2028\u202ec\u0000")).toBe(
    "a\\u{a}b\\u{1b}[2J\\u{9b}\\u{2028}\\u{202e}c\\u{0}",
  );
  expect(printable("x".repeat(10_000)).length).toBe(200);
});

const secret = "0123456789abcdefABCDEF";

test.each(["", "Bearer ", "Bearer%20", "%0A", "line\n", "tab\t", "{\\n", "x", "ユ"])(
  "masks a key after %j",
  (before) => {
    const shown = withoutKeys(`${before}ck_${secret}`);
    expect(shown).toBe(`${before}ck_…`);
    const exchange = {
      url: `http://localhost/?q=${encodeURIComponent(`${before}tk_${secret}`)}`,
      request: { headers: {}, body: JSON.stringify({ text: `${before}tk_${secret}` }) },
      response: { headers: {}, body: "" },
    };
    expect(JSON.stringify(withoutKeys(exchange))).not.toContain(secret);
  },
);

test("leaves words alone that only look like the beginning of a key", () => {
  const text = '{"feedback_value":1,"track_number":"TT-1"}';
  expect(withoutKeys(text)).toBe(text);
});
