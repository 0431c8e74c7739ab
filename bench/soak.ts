/**
 * `npm run bench -- soak [plain|next] [one|many] [turns]` checks that memory and file descriptors of every
 * program stay flat. It runs the programs of the fault harness (docs/promises.md, "The harness") without
 * faults: 10,000 streamed turns, a tenth as many streams that the browser cancels and a twentieth as many
 * uploads of 4 MiB, in five rounds after a warm-up. `plain` (default) is `npm run bff`; `next` is the
 * production build (`npm run build` first). Fails when a program at rest has grown since the warm-up by more
 * than `allowedGrowth` or `allowedDescriptors`.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startLayout } from "../e2e/faults/harness/layout.ts";
import type { HarnessProgram } from "../e2e/faults/harness/programs.ts";
import { memoryOf } from "./support/machine.ts";

const words = process.argv.slice(2);
const name = words.includes("many") ? "many" : "one";
const turns = Number(words.find((word) => /^\d+$/.test(word)) ?? "10000");
const rounds = 5;
const workers = 12;
/** Number of calls that stays below a session's limits per minute. */
const callsPerSession = 15;
const mebibyte = 2 ** 20;
const allowedGrowth = 20 * mebibyte;
/** Each worker may leave two keep-alive connections: one to a BFF and one from that BFF to a channel. */
const allowedDescriptors = 2 * workers;

/** Preloaded into each process: collects all garbage on each signal, so that only live memory remains. */
const collector =
  "process.on('SIGUSR2', () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }))";
const collecting = ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(collector)}`];

interface Rest {
  resident: number;
  descriptors: number;
}

/** The lowest of several measurements at rest, each after a garbage collection. */
async function atRest(program: HarnessProgram): Promise<Rest> {
  const seen: Rest[] = [];
  for (let sample = 0; sample < 15; sample += 1) {
    program.signal("SIGUSR2");
    await pause(500);
    const { pid = 0 } = program;
    seen.push({ resident: memoryOf(pid).now * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length });
  }
  return {
    resident: Math.min(...seen.map(({ resident }) => resident)),
    descriptors: Math.min(...seen.map(({ descriptors }) => descriptors)),
  };
}

let people = 0;

interface Session {
  headers: Record<string, string>;
  chatId: string;
}

/** Retries after 429, because the limits on all sessions together also apply to a benchmark. */
async function call(path: string, headers: Record<string, string>, body: object): Promise<Response> {
  const isForm = body instanceof FormData;
  for (;;) {
    const response = await fetch(`${layout.origin}/api/chat${path}`, {
      method: "POST",
      headers: {
        ...(isForm ? {} : { "content-type": "application/json" }),
        "idempotency-key": randomUUID(),
        ...headers,
      },
      body: isForm ? body : JSON.stringify(body),
    });
    if (response.status !== 429) return response;
    await response.body?.cancel();
    await pause(Number(response.headers.get("retry-after") ?? "1") * 1000);
  }
}

async function newSession(): Promise<Session> {
  people += 1;
  const page = {
    origin: layout.appOrigin,
    "sec-fetch-site": "same-origin",
    "x-chat-client": "1",
    "x-forwarded-for": `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`,
  };
  const started = await call("/session", page, {});
  await started.text();
  const cookie = started.headers.getSetCookie().join("").split(";", 1).join("");
  const headers = { ...page, cookie };
  const created = await call("/chats", headers, {});
  const { item } = (await created.json()) as { item: { id: string } };
  return { headers, chatId: item.id };
}

function ask({ headers, chatId }: Session, text: string): Promise<Response> {
  return call(`/chats/${chatId}/messages`, { ...headers, accept: "text/event-stream" }, { text });
}

async function streamTurn(session: Session): Promise<void> {
  const response = await ask(session, "Do you deliver to Ireland?");
  if (!(await response.text()).includes("event: done"))
    throw new Error(`A turn ended without done (${response.status})`);
}

/** Cancels a stream after its first bytes. Uses its own chat, because the turn keeps the chat busy. */
async function leave(): Promise<void> {
  const response = await ask(await newSession(), "long answer");
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
}

const file = new Blob([randomBytes(4 * mebibyte)], { type: "text/plain" });

async function upload({ headers, chatId }: Session): Promise<void> {
  const form = new FormData();
  form.append("file", file, "a.txt");
  const response = await call(`/chats/${chatId}/files`, headers, form);
  await response.text();
  if (response.status !== 201) throw new Error(`An upload answered ${response.status}`);
}

/** All kinds of load mixed, in the same order each time. */
async function runRound(): Promise<void> {
  const share = Math.ceil(turns / rounds);
  const calls = Array.from({ length: share }, (_, index) => [
    streamTurn,
    ...(index % 10 === 0 ? [leave] : []),
    ...(index % 20 === 0 ? [upload] : []),
  ]).flat();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      let session = await newSession();
      for (let made = 1, next = calls.pop(); next !== undefined; made += 1, next = calls.pop()) {
        if (made % callsPerSession === 0) session = await newSession();
        await next(session);
      }
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), "shop-chat-soak-"));
const layout = await startLayout({
  name,
  bff: words.includes("next") ? "next" : "plain",
  folder,
  agentPace: 1,
  nodeArguments: collecting,
  plan: () => undefined,
  onHit: () => undefined,
  onUnexpectedEnd: (how) => {
    throw new Error(`a program ended by itself: ${how}`);
  },
});
let isFlat = true;
try {
  const programs = [...layout.channels, ...layout.bffs];
  const restOfAll = () => Promise.all(programs.map(atRest));
  await runRound();
  const before = await restOfAll();
  const report = (what: string, now: readonly Rest[]) => {
    for (const [index, program] of programs.entries()) {
      const [first, last] = [before[index], now[index]];
      if (first === undefined || last === undefined) continue;
      const growth = last.resident - first.resident;
      const opened = last.descriptors - first.descriptors;
      isFlat &&= growth <= allowedGrowth && opened <= allowedDescriptors;
      console.log(
        `${what}: ${program.name} ${Math.round(last.resident / mebibyte)} MiB (${(growth / mebibyte).toFixed(1)}), ` +
          `${last.descriptors} descriptors (${opened})`,
      );
    }
  };
  report("warm-up", before);
  for (let round = 1; round <= rounds; round += 1) {
    await runRound();
    report(`round ${round}`, await restOfAll());
  }
  console.log(`${name}: ${turns} turns after the warm-up; ${isFlat ? "flat" : "NOT FLAT"}`);
} finally {
  await layout.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isFlat ? 0 : 1);
