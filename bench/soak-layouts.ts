/**
 * `npm run bench -- soak-layouts one|many [turns]`: do memory and descriptors of every program stay flat?
 * Real programs (see docs/promises.md, "The harness"), no faults: 10,000 streamed turns in five rounds after
 * a warm-up; then twenty tabs that close in the middle of a reply, whose descriptors must be freed. Fails
 * when a program at rest has more than the allowed memory or descriptors above what it had after the warm-up.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startLayout } from "../e2e/faults/harness/layout.ts";
import type { HarnessProgram } from "../e2e/faults/harness/programs.ts";

const name = process.argv[2] === "many" ? "many" : "one";
const turns = Number(process.argv[3] ?? "10000");
const rounds = 5;
const workers = 12;
const tabs = 20;
/** Below a session's limit per minute. */
const turnsPerSession = 20;
const mebibyte = 2 ** 20;
const allowedGrowth = 20 * mebibyte;
/** Each worker may have left a keep-alive connection before and behind a BFF. */
const allowedDescriptors = 2 * workers;

/** Preloaded into each process: collects all garbage on each signal, so that only live memory remains. */
const collector =
  "process.on('SIGUSR2', () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }))";
const collecting = ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(collector)}`];

interface Rest {
  resident: number;
  descriptors: number;
}

function look({ pid }: HarnessProgram): Rest {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    resident: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** The lowest of several measurements at rest, each after a garbage collection. */
async function atRest(program: HarnessProgram): Promise<Rest> {
  const seen: Rest[] = [];
  for (let sample = 0; sample < 15; sample += 1) {
    program.signal("SIGUSR2");
    await pause(500);
    seen.push(look(program));
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

async function call(path: string, headers: Record<string, string>, body: object): Promise<Response> {
  for (;;) {
    const response = await fetch(`${layout.origin}/api/chat${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": randomUUID(), ...headers },
      body: JSON.stringify(body),
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

async function runTurns(count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (left > 0) {
        const session = await newSession();
        for (let said = 0; said < turnsPerSession && left > 0; said += 1) {
          left -= 1;
          const response = await ask(session, "Do you deliver to Ireland?");
          if (!(await response.text()).includes("event: done"))
            throw new Error(`A turn ended without done (${response.status})`);
        }
      }
    }),
  );
}

/** Each tab closes when its first bytes have arrived. */
async function closeTabs(): Promise<void> {
  await Promise.all(
    Array.from({ length: tabs }, async () => {
      const response = await ask(await newSession(), "long answer");
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), "shop-chat-soak-"));
const layout = await startLayout({
  name,
  bff: "plain",
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
  await runTurns(Math.ceil(turns / rounds));
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
    await runTurns(Math.ceil(turns / rounds));
    report(`round ${round}`, await restOfAll());
  }
  await closeTabs();
  report(`${tabs} closed tabs`, await restOfAll());
  console.log(`${name}: ${turns} turns after the warm-up; ${isFlat ? "flat" : "NOT FLAT"}`);
} finally {
  await layout.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isFlat ? 0 : 1);
