/** A run: customers chat while faults happen, then their requests are repeated and the checker compares. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createRandom, type Random } from "../../simulation/random.ts";
import { check, createNonces, type Violation } from "./checker.ts";
import { Customer } from "./customer.ts";
import type { ConnectionFault, connectionFaultKinds } from "./fault-proxy.ts";
import { createHistory, type History } from "./history.ts";
import { causeLabFaults, endLabFaults } from "./lab-faults.ts";
import { type BffForm, type Hop, type Layout, type LayoutName, startLayout } from "./layout.ts";
import { causeProcessFaults, type ProcessFaultOptions, restartOneOfEach } from "./process-faults.ts";
import { readAll } from "./read-all.ts";

export interface RunOptions {
  layout: LayoutName;
  bff: BffForm;
  seed: number;
  /**
   * The time for which faults happen, in milliseconds. In `many` it ends when one of each part was restarted,
   * or later.
   */
  milliseconds: number;
  /** Folder for the history and the programs' logs. */
  folder: string;
  customers: number;
  onProgress?(line: string): void;
}

export interface RunReport {
  faults: Record<string, number>;
  writes: Record<string, number>;
  outcomes: Record<string, number>;
  violations: Violation[];
}

const settleTime = 180_000;
/** Longer than a turn's lease (`channel/channel-limits.ts`). */
const freezeTime = 33_000;
/** Longer than a notice's lease and its pause after a failure. */
const noticeTime = 60_000;
const agentPace = 6;

export async function run(options: RunOptions): Promise<RunReport> {
  const { seed, folder, milliseconds } = options;
  const file = createWriteStream(join(folder, "history.jsonl"));
  const history = createHistory((line) => void file.write(line));
  const random = createRandom(seed);
  const faults = new Counter();
  const onFault = (what: string) => {
    faults.add(what);
    history.add({ type: "fault", what });
  };
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const draws = random.fork("connections");

  const layout = await startLayout({
    name: options.layout,
    bff: options.bff,
    folder,
    agentPace,
    plan: (hop) => (isOver() ? undefined : planned(hop, draws)),
    onHit: (hop, fault) => onFault(`${hop} hop: ${fault.kind} ${fault.direction}`),
    onNotice: (notice, chatId) => history.add({ type: "noticed", notice, chatId }),
    onUnexpectedEnd: (how) => history.add({ type: "broken", what: `a program ended by itself: ${how}` }),
  });
  try {
    const since = performance.now();
    const progress = setInterval(() => {
      const minutes = ((performance.now() - since) / 60_000).toFixed(1);
      options.onProgress?.(`${minutes} min: ${faults.total} faults, ${history.records.length} records`);
    }, 30_000);
    const common = { layout, until: over.signal } as const;
    const customers = atWork(options, layout, history, onFault, random, over.signal);
    customers.catch(() => over.abort());
    const lab = causeLabFaults({ ...common, random: random.fork("lab"), interval: [500, 1_800] });
    const onPrograms: ProcessFaultOptions = {
      ...common,
      random: random.fork("processes"),
      interval: options.layout === "one" ? [8_000, 20_000] : [3_000, 9_000],
      onFault,
      freezeTime,
      onBroken: (what) => history.add({ type: "broken", what }),
    };
    let end: NodeJS.Timeout | undefined;
    try {
      if (options.layout === "many") await restartOneOfEach(onPrograms);
      end = setTimeout(() => over.abort(), Math.max(0, since + milliseconds - performance.now()));
      await causeProcessFaults(onPrograms);
    } finally {
      clearTimeout(end);
      over.abort();
    }
    const posted = await lab;
    await layout.mend();
    faults.add("lab", posted - (await endLabFaults(layout)));
    await within(customers, settleTime, "the customers did not come to an end");
    clearInterval(progress);
    options.onProgress?.(`the faults are over: ${faults.total}`);
    await readAll(layout, history);
    await untilNoticed(history);
  } finally {
    over.abort();
    await layout.close();
    await new Promise((resolve) => file.end(resolve));
  }
  return { faults: faults.counts, ...summaryOf(history), violations: check(history.records) };
}

/** A killed process leaves its notices to another one, which waits for the end of their leases. */
async function untilNoticed({ records, now }: History): Promise<void> {
  const waiting = new Set(
    records.flatMap((record) =>
      record.type === "final" && record.chat.handoff !== null ? [record.chat.id] : [],
    ),
  );
  for (const end = now() + noticeTime; waiting.size > 0 && now() < end; await pause(100))
    for (const record of records) if (record.type === "noticed") waiting.delete(record.chatId);
}

/**
 * The most bytes that pass on a connection, over all its requests, before its fault. Between BFF and channel
 * they are more, because five failures in a row open the BFF's circuit breaker, which then sends hardly any
 * requests.
 */
const bytesBefore = { customer: { up: 1_500, down: 5_000 }, channel: { up: 6_000, down: 25_000 } } as const;

function planned(hop: Hop, random: Random): ConnectionFault {
  const direction = random.chance(0.65) ? "down" : "up";
  const most = bytesBefore[hop][direction];
  return {
    kind: random.weighted<(typeof connectionFaultKinds)[number]>([
      [7, "rst"],
      [5, "fin"],
      [2, "half_close"],
      [1, "black_hole"],
      [1, "latency"],
      [1, "slices"],
    ]),
    direction,
    after: random.between(0, random.chance(0.5) ? most : Math.ceil(most / 6)),
    milliseconds: random.between(100, 4_000),
  };
}

async function atWork(
  options: RunOptions,
  layout: Layout,
  history: History,
  onFault: (what: string) => void,
  random: Random,
  until: AbortSignal,
): Promise<void> {
  const nonce = createNonces();
  let people = 0;
  await Promise.all(
    Array.from({ length: options.customers }, async () => {
      while (!until.aborted) {
        people += 1;
        const id = `customer ${people}`;
        const customer = new Customer({
          id,
          origin: layout.origin,
          appOrigin: layout.appOrigin,
          address: `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`,
          random: random.fork(id),
          history,
          nonce,
          onReload: () => onFault("page closed in the middle"),
          until,
        });
        await customer.live();
      }
    }),
  );
}

async function within(work: Promise<void>, milliseconds: number, complaint: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(complaint)), milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

class Counter {
  readonly counts: Record<string, number> = {};
  total = 0;

  add(name: string, count = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + count;
    this.total += count;
  }
}

function summaryOf(history: History): Pick<RunReport, "writes" | "outcomes"> {
  const writes = new Counter();
  const outcomes = new Counter();
  for (const record of history.records) {
    if (record.type === "invoked") writes.add(record.operation);
    if (record.type === "ended" && record.operation !== "createChat")
      outcomes.add(record.outcome === "failed" ? `failed: ${record.code}` : record.outcome);
  }
  return { writes: writes.counts, outcomes: outcomes.counts };
}
