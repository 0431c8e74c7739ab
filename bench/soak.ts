/**
 * `npm run bench -- soak [plain|next]`: does the BFF's memory stay flat? Ten thousand streamed turns, a thousand streams
 * whose browser leaves in the middle, five hundred uploads of 4 MiB, in five rounds; after the warm-up and after each
 * round, the memory of the process at rest. `plain` (default) is `npm run bff`; `next` is the production build
 * (`npm run build` first). Fails when a round ends more than 20 MiB above the warm-up.
 *
 * At rest means after full garbage collections, which the bench asks for: what is left is what the process holds on to, not
 * how long ago the collector last ran. How high the memory stood under load is printed beside it.
 *
 * The peer is a server in this process that answers at once: the BFF is measured, not a channel.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { encodeTurnEvent } from "#lib/chat-api/turn-events.ts";

const root = join(import.meta.dirname, "..");
const mebibyte = 2 ** 20;
const allowedGrowth = 20 * mebibyte;
const workers = 12;
/** Per session fewer than its limits allow in a minute. */
const turnsPerSession = 15;

interface Load {
  turns: number;
  aborted: number;
  uploads: number;
}
const warmUp: Load = { turns: 2_000, aborted: 200, uploads: 200 };
const soak: Load = { turns: 10_000, aborted: 1_000, uploads: 500 };
const rounds = 5;

const chatId = "chat_soak_0001";
const time = "2026-03-02T09:30:00.000Z";
const chat = {
  id: chatId,
  channelKey: "dep_soak_bench",
  userId: "cust.maya-okafor",
  mode: "agent",
  teammate: null,
  createdAt: time,
  updatedAt: time,
  resolvedAt: null,
  historyComplete: true,
  handoff: null,
} as const;
const words = Array.from({ length: 40 }, (_, index) => `word ${index} `);
const message = {
  id: "msg_soak_1",
  chatId,
  role: "visitor",
  text: "question",
  createdAt: time,
  author: null,
  files: [],
  citations: [],
  products: [],
  orders: [],
  choices: [],
  collection: null,
  handoffOffer: null,
} as const;
const turn = [
  encodeTurnEvent({ type: "start", chatId, requestId: "up", messageId: "msg_soak_1", replyId: "msg_soak_2" }),
  ...words.map((text) => encodeTurnEvent({ type: "delta", text })),
];
const done = encodeTurnEvent({
  type: "done",
  item: {
    message: { ...message, files: [], citations: [], products: [], orders: [], choices: [] },
    reply: {
      ...message,
      role: "agent",
      text: words.join(""),
      files: [],
      citations: [],
      products: [],
      orders: [],
      choices: [],
    },
    chat,
  },
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0;
  for await (const piece of request) bytes += piece.length;
  const json = (status: number, body: object) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.url?.endsWith("/files")) {
    const file = {
      id: "file_soak_1",
      chatId,
      filename: "a.txt",
      mediaType: "text/plain",
      byteSize: bytes,
      createdAt: time,
    };
    return json(201, { item: file });
  }
  if (!request.url?.endsWith("/messages")) {
    return request.url?.endsWith(chatId)
      ? json(200, { item: chat })
      : json(404, { error: { code: "chat_not_found" } });
  }
  response.writeHead(201, { "content-type": "text/event-stream" });
  for (const [index, event] of turn.entries()) {
    if (response.destroyed) return;
    response.write(event);
    // Pieces of their own on the wire, as an agent's are.
    if (index % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  response.end(done);
}

async function listen(): Promise<string> {
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const kind = process.argv[2] ?? "plain";
const port = Number(process.env["PORT"] ?? "3990");
const origin = `http://localhost:${port}`;
const metricsToken = randomBytes(16).toString("hex");
const programs: Record<string, string[]> = {
  plain: ["--conditions=react-server", "scripts/bff.ts"],
  next: ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(port)],
};
const program = programs[kind];
if (program === undefined) throw new Error(`Say plain or next, not ${kind}`);

/** What runs in the BFF's process besides the BFF: a full collection for each signal. */
const collector =
  "process.on('SIGUSR2', () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }))";
const collecting = ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(collector)}`];

function startBff(baseUrl: string): ChildProcess {
  return spawn(process.execPath, [...collecting, ...(program ?? [])], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      APP_ORIGIN: origin,
      CHAT_BASE_URL: baseUrl,
      CHAT_CHANNEL_KEY: chat.channelKey,
      CHAT_KEY: `ck_${randomBytes(16).toString("hex")}`,
      SESSION_SECRET: randomBytes(32).toString("base64url"),
      METRICS_TOKEN: metricsToken,
      LOG_LEVEL: "warn",
    },
  });
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const target = `http://127.0.0.1:${port}`;
const pageHeaders = { "sec-fetch-site": "same-origin", "x-chat-client": "1", origin };

/** Sends until it is not told to wait: the limits of everyone together hold for a bench, too. */
async function call(path: string, cookie: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const headers = { ...pageHeaders, cookie, "idempotency-key": randomUUID(), ...init.headers };
    const response = await fetch(target + path, { ...init, method: "POST", headers });
    if (response.status !== 429) return response;
    await response.body?.cancel();
    await pause(Number(response.headers.get("retry-after") ?? "1") * 1000);
  }
}

const jsonType = { "content-type": "application/json" };

async function newSession(): Promise<string> {
  const response = await call("/api/session", "", {
    headers: jsonType,
    body: '{"customerId":"maya-okafor"}',
  });
  await response.text();
  return response.headers.getSetCookie().join("").split(";", 1).join("");
}

async function streamTurn(cookie: string, leaves: boolean): Promise<void> {
  const response = await call(`/api/chats/${chatId}/messages`, cookie, {
    headers: { ...jsonType, accept: "text/event-stream" },
    body: '{"text":"question"}',
  });
  if (leaves) {
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return;
  }
  if (!(await response.text()).includes("event: done"))
    throw new Error(`A turn ended without done (${response.status})`);
}

const file = new Blob([randomBytes(4 * mebibyte)], { type: "text/plain" });

async function upload(cookie: string): Promise<void> {
  const form = new FormData();
  form.append("file", file, "a.txt");
  const response = await call(`/api/chats/${chatId}/files`, cookie, { body: form });
  await response.text();
  if (response.status !== 201) throw new Error(`An upload answered ${response.status}`);
}

async function run(load: Load): Promise<void> {
  const tasks: ((cookie: string) => Promise<void>)[] = [];
  const add = (count: number, task: (cookie: string) => Promise<void>) =>
    tasks.push(...Array(count).fill(task));
  add(load.turns, (cookie) => streamTurn(cookie, false));
  add(load.aborted, (cookie) => streamTurn(cookie, true));
  add(load.uploads, upload);
  // Everything mixed, the same way each time.
  const mixed = tasks
    .map((task, index) => ({ task, order: (index * 7919) % tasks.length }))
    .toSorted((a, b) => a.order - b.order);
  await Promise.all(
    Array.from({ length: workers }, async () => {
      let cookie = "";
      for (let used = 0, next = mixed.shift(); next !== undefined; used += 1, next = mixed.shift()) {
        if (used % turnsPerSession === 0) cookie = await newSession();
        await next.task(cookie);
      }
    }),
  );
}

interface Memory {
  resident: number;
  heap: number;
  external: number;
}

async function readMemory(): Promise<Memory> {
  const response = await fetch(`${target}/api/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  const text = await response.text();
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  return {
    resident: gauge("process_resident_memory_bytes"),
    heap: gauge("nodejs_heap_size_used_bytes"),
    external: gauge("nodejs_external_memory_bytes"),
  };
}

const samples = 15;
const sampleInterval = 500;

/** The least of some moments of rest. It lasts until both sides have closed the connections that they keep alive. */
async function memoryAtRest(bff: ChildProcess): Promise<Memory> {
  const seen: Memory[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    bff.kill("SIGUSR2");
    await pause(sampleInterval);
    seen.push(await readMemory());
  }
  return seen.reduce((least, memory) => (memory.resident < least.resident ? memory : least));
}

/** Runs the load; the highest resident memory that was seen meanwhile. */
async function peakOf(load: Load): Promise<number> {
  let peak = 0;
  let running = true;
  const watching = (async () => {
    while (running) {
      peak = Math.max(peak, (await readMemory()).resident);
      await pause(sampleInterval);
    }
  })();
  await run(load).finally(() => {
    running = false;
  });
  await watching;
  return peak;
}

const inMebibytes = (bytes: number) => Math.round(bytes / mebibyte);

async function measure(what: string, bff: ChildProcess, load: Load): Promise<Memory> {
  const peak = await peakOf(load);
  const memory = await memoryAtRest(bff);
  const { resident, heap, external } = memory;
  console.log(
    `${what}: ${inMebibytes(resident)} MiB resident at rest (heap ${inMebibytes(heap)}, external ${inMebibytes(external)}), ${inMebibytes(peak)} at most`,
  );
  return memory;
}

const bff = startBff(await listen());
try {
  for (const deadline = Date.now() + 90_000; ; await pause(100)) {
    const answered = await fetch(`${target}/api/health/live`).catch(() => undefined);
    if (answered?.ok) break;
    if (Date.now() > deadline || bff.exitCode !== null) throw new Error("The BFF did not start");
  }
  const started = performance.now();
  const before = await measure("warm-up", bff, warmUp);
  const part: Load = {
    turns: soak.turns / rounds,
    aborted: soak.aborted / rounds,
    uploads: soak.uploads / rounds,
  };
  let growth = Number.NEGATIVE_INFINITY;
  for (let round = 1; round <= rounds; round += 1) {
    const after = await measure(`round ${round}`, bff, part);
    growth = Math.max(growth, after.resident - before.resident);
  }
  const minutes = (performance.now() - started) / 60_000;
  console.log(
    `${kind}: ${soak.turns} turns, ${soak.aborted} aborted streams, ${soak.uploads} uploads of 4 MiB after the warm-up; ` +
      `at rest at most ${growth >= 0 ? "+" : ""}${(growth / mebibyte).toFixed(1)} MiB; ${minutes.toFixed(1)} min in all`,
  );
  process.exitCode = growth > allowedGrowth ? 1 : 0;
} finally {
  bff.kill("SIGKILL");
}
process.exit();
