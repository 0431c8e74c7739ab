/** `npm run bff`: the handlers without Next, as a process, with traces on. */
import { createServer } from "node:http";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../processes/free-port.ts";
import { Program } from "../processes/program.ts";
import { listenLocally } from "../testing/local-server.ts";

const chatKey = "ck_canary_9d2e7f1a";

const exported: string[] = [];
const collector = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  exported.push(Buffer.concat(pieces).toString("utf8"));
  response.writeHead(200, { "content-type": "application/json" });
  response.end("{}");
});
const api = createServer((_, response) => {
  response.writeHead(404, { "content-type": "application/json" });
  response.end('{"error":{"code":"chat_not_found"}}');
});
afterAll(() => {
  collector.close();
  api.close();
});

interface BffOptions {
  collectorPort: number;
  apiPort: number;
  origin?: string;
}

const environmentOf = (apiPort: number, origin: string) => ({
  NODE_ENV: "test" as const,
  APP_ORIGIN: origin,
  CHAT_BASE_URL: `http://127.0.0.1:${apiPort}`,
  CHAT_CHANNEL_KEY: "dep_bff_script",
  CHAT_KEY: chatKey,
  SESSION_SECRET: "a secret of at least thirty-two characters",
});

async function startBff({ collectorPort, apiPort, origin }: BffOptions) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    name: "the BFF",
    healthUrl: `${address}/api/chat/health/live`,
    args: ["scripts/bff.ts"],
    env: {
      ...environmentOf(apiPort, origin ?? `http://localhost:${port}`),
      PORT: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    },
  });
  return {
    address,
    /** All output so far. */
    output: () => program.output(),
    /** Resolves with the exit code. */
    stop() {
      program.signal("SIGTERM");
      return program.ended;
    },
  };
}

test("serves only the chat, stops on a signal and exports spans without secrets", async () => {
  const bff = await startBff({
    collectorPort: await listenLocally(collector),
    apiPort: await listenLocally(api),
  });
  const ready = await fetch(`${bff.address}/api/chat/health/ready`);
  expect(ready.status).toBe(200);
  // 75 seconds: longer than a proxy keeps an idle connection.
  expect(ready.headers.get("keep-alive")).toBe("timeout=75");
  const page = await fetch(`${bff.address}/`);
  expect(page.status).toBe(404);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");

  expect(await bff.stop()).toBe(143);
  const spans = exported.join("");
  for (const name of ["bff live", "bff ready", "chat-api request", "bff.request_id"])
    expect(spans, name).toContain(name);
  expect(spans + bff.output()).not.toContain(chatKey);
  expect(bff.output()).toContain('"event":"stopped"');
  expect(bff.output()).not.toContain("configuration_warning");
}, 120_000);

test("stops despite an OpenTelemetry collector that does not answer", async () => {
  const silent = createServer(() => undefined);
  const busy = createServer(() => undefined);
  onTestFinished(() => {
    for (const server of [silent, busy]) {
      server.closeAllConnections();
      server.close();
    }
  });
  const bff = await startBff({
    collectorPort: await listenLocally(silent),
    apiPort: await listenLocally(busy),
    origin: "https://shop.example",
  });
  expect(await bff.stop()).toBe(143);
  expect(bff.output()).toContain('"event":"stopped"');
  expect(bff.output()).not.toContain('"event":"unexpected_error"');
  // The origin is https, but no proxy is configured.
  expect(bff.output()).toMatch(
    /"level":"warn".*"event":"configuration_warning","variable":"TRUST_PROXY_HOPS"/,
  );
}, 120_000);

test("names the missing package of each enabled feature, and exits", async () => {
  // Hides two packages that this repository has installed.
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (!["ioredis", "@prometheus-io/client"].includes(name)) return next(name, context);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: "MODULE_NOT_FOUND" });
    } });`;
  const bff = new Program({
    name: "the BFF",
    args: ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, "scripts/bff.ts"],
    env: {
      ...environmentOf(0, "http://localhost:3000"),
      CHAT_KEY: "",
      REDIS_URL: "redis://127.0.0.1:6379",
      METRICS_TOKEN: "m".repeat(16),
    },
    onEnd: () => undefined,
  });
  expect(await bff.ended).toBe(1);
  for (const fault of [
    "CHAT_KEY",
    "REDIS_URL: .*npm install ioredis",
    "METRICS_TOKEN: .*npm install @prometheus-io/client",
  ])
    expect(bff.output()).toMatch(new RegExp(fault));
});
