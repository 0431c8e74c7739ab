/** `npm run doctor` in front of a real channel and a running chat server, with one problem at a time. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startChannelProgram } from "../processes/channel-program.ts";
import { freePort } from "../processes/free-port.ts";
import { Program } from "../processes/program.ts";
import { listenLocally } from "../testing/local-server.ts";
import { newChannelFolder } from "../testing/processes/channel-folder.ts";
import { testKeys } from "../testing/test-keys.ts";

const { channelKey, chatKey, sessionSecret } = testKeys;
let channel: Awaited<ReturnType<typeof startChannelProgram>>;
let bff: Program;
let bffPort: number;

const environment = (more: NodeJS.Dict<string> = {}) => ({
  NODE_ENV: "test" as const,
  CHAT_BASE_URL: channel.url,
  CHAT_CHANNEL_KEY: channelKey,
  CHAT_KEY: chatKey,
  SESSION_SECRET: sessionSecret,
  APP_ORIGIN: `http://localhost:${bffPort}`,
  ...more,
});

beforeAll(async () => {
  channel = await startChannelProgram(testKeys, { folder: await newChannelFolder() });
  bffPort = await freePort();
  bff = await Program.start({
    name: "the BFF",
    healthUrl: `http://127.0.0.1:${bffPort}/api/chat/health/live`,
    args: ["scripts/bff.ts"],
    env: environment({ PORT: String(bffPort) }),
  });
}, 120_000);
afterAll(async () => {
  await bff.stop();
  await channel.program.stop();
});

/** @param preload A module to run before the doctor, as text. */
async function doctor(more: NodeJS.Dict<string> = {}, preload = "") {
  const hook = `data:text/javascript,${encodeURIComponent(preload)}`;
  const env = environment(more);
  const program = new Program({
    name: "the doctor",
    args: ["--import", hook, "scripts/doctor.ts"],
    env,
    onEnd: () => undefined,
  });
  return { code: await program.ended, output: program.output() };
}

test("finds nothing to mend in a shop that works", async () => {
  const { code, output } = await doctor();
  expect(output).not.toMatch(/FAIL|note/);
  for (const line of ["Chat API", "clock", "streams"]) expect(output).toMatch(new RegExp(`ok .*${line}`));
  expect(code).toBe(0);
});

test.each([
  ["an address without scheme", { APP_ORIGIN: "shop.example" }, /APP_ORIGIN\n.*begin with https:/],
  ["a Chat API without scheme", { CHAT_BASE_URL: "api.example:443" }, /CHAT_BASE_URL\n.*begin with https:/],
  [
    "exchanged keys",
    { CHAT_KEY: "dep_demo_shop", CHAT_CHANNEL_KEY: "ck_0123456789abcdef" },
    /CHAT_CHANNEL_KEY\n.*holds the chat key.*\n.*CHAT_KEY\n.*holds the channel's address/,
  ],
  ["a value in quotes", { CHAT_KEY: `'${chatKey}'` }, /FAIL {2}CHAT_KEY\n.*quotes.*remove/],
  [
    "certificates that nobody checks",
    { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    /FAIL .*NODE_TLS_REJECT_UNAUTHORIZED.*\n.*Remove it/,
  ],
  ["a host that does not exist", { APP_ORIGIN: "https://shop.invalid" }, /FAIL .*host of APP_ORIGIN/],
  ["a port that is none", { PORT: "abc", APP_ORIGIN: undefined }, /FAIL {2}PORT\n.*port number/],
])("explains %s", async (_, wrong, expected) => {
  const { code, output } = await doctor(wrong);
  expect(output).toMatch(expected);
  expect(code).toBe(1);
});

test("asks for SESSION_SECRET where the shop has an address, and only notes that a developer's has none", async () => {
  const developer = await doctor({ SESSION_SECRET: undefined, APP_ORIGIN: undefined, PORT: String(bffPort) });
  expect(developer.output).toMatch(/note {2}SESSION_SECRET .*npm run dev/);
  expect(developer.code).toBe(0);
  const server = await doctor({ SESSION_SECRET: undefined });
  expect(server.output).toMatch(/FAIL {2}SESSION_SECRET\n.*32 random characters/);
  expect(server.code).toBe(1);
});

test("finds a clock that is two minutes slow", async () => {
  const slow = "const now = Date.now.bind(Date); Date.now = () => now() - 120_000;";
  const { code, output } = await doctor({}, slow);
  expect(output).toMatch(/FAIL {2}The clock .*\n.*behind/);
  expect(code).toBe(1);
});

test("notes that only this machine can use a shop in production without APP_ORIGIN", async () => {
  const { output } = await doctor({
    CHAT_BASE_URL: "https://api.invalid",
    APP_ORIGIN: undefined,
    PORT: String(bffPort),
  });
  expect(output).toMatch(/note {2}APP_ORIGIN .*this machine/);
});

test("names the missing package of a feature, and needs none of them itself", async () => {
  const { code, output } = await doctor(
    { REDIS_URL: "redis://127.0.0.1:6379" },
    `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name !== "ioredis") return next(name, context);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: "MODULE_NOT_FOUND" });
    } });`,
  );
  expect(output).toMatch(/FAIL {2}REDIS_URL\n.*npm install ioredis/);
  expect(code).toBe(1);
});

/** The doctor's findings behind this proxy of the chat server. */
async function behindProxy(
  headersOf: (sent: IncomingHttpHeaders) => IncomingHttpHeaders,
  answer: (response: IncomingMessage, outgoing: ServerResponse) => void,
) {
  const proxy = createServer(({ method, url, headers }, outgoing) => {
    request({ port: bffPort, method, path: url, headers: headersOf(headers) }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      answer(response, outgoing);
    }).end();
  });
  onTestFinished(() => void proxy.close());
  return doctor({ APP_ORIGIN: `http://localhost:${await listenLocally(proxy)}` });
}

test("finds a proxy that buffers streams", async () => {
  const { code, output } = await behindProxy(
    (sent) => sent,
    (response, outgoing) => void response.toArray().then((pieces) => outgoing.end(Buffer.concat(pieces))),
  );
  expect(output).toMatch(/FAIL .*stream.*together.*\n.*proxy_buffering off/);
  expect(output).toContain("Sec-Fetch-Site reaches the chat");
  expect(code).toBe(1);
});

test("finds a proxy that drops Sec-Fetch-Site", async () => {
  const { code, output } = await behindProxy(
    ({ "sec-fetch-site": _, ...others }) => others,
    (response, outgoing) => void response.pipe(outgoing),
  );
  expect(output).toMatch(/FAIL .*drops the header Sec-Fetch-Site/);
  expect(output).toContain("passes streams on");
  expect(code).toBe(1);
});

test("finds a certificate that is not trusted, and names its error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = ["-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...made], { stdio: "pipe" });
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) });
  onTestFinished(() => void server.close());
  const { code, output } = await doctor({ APP_ORIGIN: `https://localhost:${await listenLocally(server)}` });
  expect(output).toMatch(/FAIL .*certificate at APP_ORIGIN.*\n.*DEPTH_ZERO_SELF_SIGNED_CERT/);
  expect(code).toBe(1);
});

test("tells a proxy whose shop does not run from another program", async () => {
  const proxy = createServer((_, response) => void response.writeHead(502).end("<h1>502 Bad Gateway</h1>"));
  onTestFinished(() => void proxy.close());
  const { code, output } = await doctor({ APP_ORIGIN: `http://localhost:${await listenLocally(proxy)}` });
  expect(output).toMatch(/FAIL .*a proxy answers.*\n.*502/);
  expect(code).toBe(1);
});

test("says that a shop which does not run cannot be checked for streams", async () => {
  const { code, output } = await doctor({ APP_ORIGIN: `http://localhost:${await freePort()}` });
  expect(output).toMatch(/note .*does not answer/);
  expect(code).toBe(0);
});

test("finds that another program answers at the shop's address", async () => {
  const { code, output } = await doctor({ APP_ORIGIN: channel.url });
  expect(output).toMatch(/FAIL .*another program/);
  expect(code).toBe(1);
});
