/**
 * `npm run bench -- soak [plain|next]`: checks that the BFF's memory stays flat. Ten thousand streamed turns,
 * a thousand streams whose browser leaves in the middle and five hundred uploads of 4 MiB, in five rounds;
 * measures the process's memory at rest after the warm-up and after each round. `plain` (default) is `npm run
 * bff`; `next` is the production build (`npm run build` first). Fails when a round ends more than 20 MiB
 * above the warm-up.
 *
 * At rest means after full garbage collections, so that only live memory counts. The peak under load is
 * printed beside it.
 *
 * The peer is a server in this process that answers at once: the BFF is measured, not a channel.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createGuestSessions } from "#lib/bff/session/guest-sessions.ts";
import { aChat, aMessage } from "#lib/chat-api/testing/builders.ts";
import { encodeTurnEvent } from "#lib/chat-api/turn-events.ts";
import { listenLocally } from "../testing/local-server.ts";

const root = join(import.meta.dirname, "..");
const mebibyte = 2 ** 20;
const allowedGrowth = 20 * mebibyte;
const workers = 12;
/** Below a session's limit per minute. */
const turnsPerSession = 15;

interface Load {
  turns: number;
  aborted: number;
  uploads: number;
}
const warmUp: Load = { turns: 2_000, aborted: 200, uploads: 200 };
const soak: Load = { turns: 10_000, aborted: 1_000, uploads: 500 };
const rounds = 5;

const channelKey = "dep_soak_bench";
/** The chat's ID contains its owner. */
const chatIdOf = (userId: string) => `soak_${userId}`;
const chatIdPattern = /\/chats\/(soak_([\w-]{22}))/;
const chatOf = (id: string, userId: string) => aChat({ id, channelKey, userId });
const words = Array.from({ length: 40 }, (_, index) => `word ${index} `);
const messageOf = (chatId: string) => aMessage({ id: "msg_soak_1", chatId, text: "question" });
const turnOf = (chatId: string, userId: string) => [
  encodeTurnEvent({ type: "start", chatId, requestId: "up", messageId: "msg_soak_1", replyId: "msg_soak_2" }),
  ...words.map((text) => encodeTurnEvent({ type: "delta", text })),
  encodeTurnEvent({
    type: "done",
    item: {
      message: messageOf(chatId),
      reply: { ...messageOf(chatId), role: "agent", text: words.join("") },
      chat: chatOf(chatId, userId),
    },
  }),
];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0;
  for await (const piece of request) bytes += piece.length;
  const json = (status: number, body: object) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const [, chatId = "", userId = ""] = chatIdPattern.exec(request.url ?? "") ?? [];
  if (request.url?.endsWith("/files")) {
    const file = {
      id: "file_soak_1",
      chatId,
      filename: "a.txt",
      mediaType: "text/plain",
      byteSize: bytes,
      createdAt: "2026-03-02T09:30:00.000Z",
    };
    return json(201, { item: file });
  }
  if (!request.url?.endsWith("/messages")) {
    return userId !== ""
      ? json(200, { item: chatOf(chatId, userId) })
      : json(404, { error: { code: "chat_not_found" } });
  }
  response.writeHead(201, { "content-type": "text/event-stream" });
  for (const [index, event] of turnOf(chatId, userId).entries()) {
    if (response.destroyed) return;
    response.write(event);
    // Separate chunks, as an agent sends them.
    if (index % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

async function listen(): Promise<string> {
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  return `http://127.0.0.1:${await listenLocally(server)}`;
}

const sessionSecret = randomBytes(32).toString("base64url");
const kind = process.argv[2] ?? "plain";
const port = Number(process.env["PORT"] ?? "3990");
const origin = `http://localhost:${port}`;
const metricsToken = randomBytes(16).toString("hex");
const programs: Record<string, string[]> = {
  plain: ["scripts/bff.ts"],
  next: ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(port)],
};
const program = programs[kind];
if (program === undefined) throw new Error(`The argument must be plain or next, not ${kind}`);

/** Preloaded into the BFF: runs a full garbage collection on each signal. */
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
      CHAT_CHANNEL_KEY: channelKey,
      CHAT_KEY: `ck_${randomBytes(16).toString("hex")}`,
      SESSION_SECRET: sessionSecret,
      METRICS_TOKEN: metricsToken,
      // Turns off the limits per address: all customers call from this machine, and Next adds one entry.
      TRUST_PROXY_HOPS: "2",
      LOG_LEVEL: "warn",
    },
  });
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const target = `http://127.0.0.1:${port}`;
const pageHeaders = { "sec-fetch-site": "same-origin", "x-chat-client": "1", origin };

/** Retries until it is admitted, because the total limits also apply to a benchmark. */
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

interface Guest {
  cookie: string;
  chatId: string;
}

/** A session as the BFF creates it, without the limit on new ones. */
const guests = createGuestSessions({ appOrigin: origin, sessionSecrets: [sessionSecret] });

async function newGuest(): Promise<Guest> {
  const { session, setCookie } = await guests.start(new Request(origin));
  return { cookie: setCookie.split(";", 1).join(""), chatId: chatIdOf(session.userId) };
}

async function streamTurn({ cookie, chatId }: Guest, leaves: boolean): Promise<void> {
  const response = await call(`/api/chat/chats/${chatId}/messages`, cookie, {
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

async function upload({ cookie, chatId }: Guest): Promise<void> {
  const form = new FormData();
  form.append("file", file, "a.txt");
  const response = await call(`/api/chat/chats/${chatId}/files`, cookie, { body: form });
  await response.text();
  if (response.status !== 201) throw new Error(`An upload answered ${response.status}`);
}

async function run(load: Load): Promise<void> {
  const tasks: ((guest: Guest) => Promise<void>)[] = [];
  const add = (count: number, task: (guest: Guest) => Promise<void>) =>
    tasks.push(...Array(count).fill(task));
  add(load.turns, (guest) => streamTurn(guest, false));
  add(load.aborted, (guest) => streamTurn(guest, true));
  add(load.uploads, upload);
  // All kinds of load mixed, in the same order each time.
  const mixed = tasks
    .map((task, index) => ({ task, order: (index * 7919) % tasks.length }))
    .toSorted((a, b) => a.order - b.order);
  await Promise.all(
    Array.from({ length: workers }, async () => {
      let guest = await newGuest();
      for (let used = 0, next = mixed.shift(); next !== undefined; used += 1, next = mixed.shift()) {
        if (used % turnsPerSession === 0) guest = await newGuest();
        await next.task(guest);
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
  const response = await fetch(`${target}/api/chat/metrics`, {
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

/** The lowest of several measurements at rest, after both sides have closed their idle connections. */
async function memoryAtRest(bff: ChildProcess): Promise<Memory> {
  const seen: Memory[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    bff.kill("SIGUSR2");
    await pause(sampleInterval);
    seen.push(await readMemory());
  }
  return seen.reduce((least, memory) => (memory.resident < least.resident ? memory : least));
}

/** Runs the load and returns the peak resident memory. */
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
    const answered = await fetch(`${target}/api/chat/health/live`).catch(() => undefined);
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
