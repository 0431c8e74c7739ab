/** `npm run bff`: the handlers without Next, as a process, with traces on. */
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

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

test("it serves the same routes, stops when asked, and sends spans without secrets", async () => {
  const [collectorPort, apiPort] = [await listen(collector), await listen(api)];
  const spare = createServer();
  const port = await listen(spare);
  await new Promise((resolve) => spare.close(resolve));
  const origin = `http://localhost:${port}`;
  const child = spawn(process.execPath, ["--conditions=react-server", "scripts/bff.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      NODE_ENV: "production",
      PATH: process.env["PATH"],
      PORT: String(port),
      APP_ORIGIN: origin,
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

  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/api/health/live`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 90_000 },
    )
    .toBe(200);
  const ready = await fetch(`http://127.0.0.1:${port}/api/health/ready`);
  expect(ready.status).toBe(200);
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect(page.status).toBe(404);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");

  child.kill("SIGTERM");
  expect(await ended).toBe(143);
  const spans = exported.join("");
  for (const name of ["bff live", "bff ready", "chat-api request", "bff.request_id"])
    expect(spans, name).toContain(name);
  expect(spans + output).not.toContain(chatKey);
  expect(output).toContain('"event":"stopped"');
}, 120_000);
