/** `npm run bff`: the handlers without Next, as a process, with traces on. */
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");
const chatKey = "ck_canary_9d2e7f1a";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No address");
  return address.port;
}

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

interface RunningBff {
  address: string;
  /** What it has written so far. */
  output(): string;
  /** Its exit code, once it was told to stop. */
  stop(): Promise<number | null>;
}

async function startBff(collectorPort: number, apiPort: number): Promise<RunningBff> {
  const spare = createServer();
  const port = await listen(spare);
  await new Promise((resolve) => spare.close(resolve));
  const child = spawn(process.execPath, ["--conditions=react-server", "scripts/bff.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      NODE_ENV: "test",
      PATH: process.env["PATH"],
      PORT: String(port),
      APP_ORIGIN: `http://localhost:${port}`,
      CHAT_BASE_URL: `http://127.0.0.1:${apiPort}`,
      CHAT_CHANNEL_KEY: "dep_bff_script",
      CHAT_KEY: chatKey,
      SESSION_SECRET: "a secret of at least thirty-two characters",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    },
  });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => {
    output += piece.toString("utf8");
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const address = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(`${address}/api/health/live`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 90_000 },
    )
    .toBe(200);
  return {
    address,
    output: () => output,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

test("it serves the same routes, stops when asked, and sends spans without secrets", async () => {
  const bff = await startBff(await listen(collector), await listen(api));
  const ready = await fetch(`${bff.address}/api/health/ready`);
  expect(ready.status).toBe(200);
  // Seconds: longer than a proxy keeps a connection that it does not use.
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
}, 120_000);

test("a collector that does not answer does not keep the process from stopping", async () => {
  const silent = createServer(() => undefined);
  const busy = createServer(() => undefined);
  onTestFinished(() => {
    for (const server of [silent, busy]) {
      server.closeAllConnections();
      server.close();
    }
  });
  const bff = await startBff(await listen(silent), await listen(busy));
  const told = performance.now();
  expect(await bff.stop()).toBe(143);
  expect(performance.now() - told).toBeLessThan(5_000);
  expect(bff.output()).toContain('"event":"stopped"');
  expect(bff.output()).not.toContain('"event":"fault"');
}, 120_000);
