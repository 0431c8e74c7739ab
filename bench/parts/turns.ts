/**
 * Turns of the channel: 64 customers send "hello" and read the answer to `done`, with few and with many
 * stored messages.
 */
import { type BenchChannel, Databases } from "../support/channels.ts";
import { end, processorTime } from "../support/machine.ts";
import type { Figure, Measured, Options, Part } from "../support/part.ts";
import { repeatFor } from "../support/repeat.ts";
import { median, quantile } from "../support/statistics.ts";
import { openSenders, sendOne } from "../support/turn-load.ts";

const clients = 64;
const warmUpSeconds = 1;
const few = 1_000;

interface Subject {
  title: string;
  engine: "pglite" | "postgres";
  /** The database holds `options.stored` messages instead of a few. */
  many?: true;
}

const turnFigures: readonly Figure[] = [
  { key: "perSecond", title: "turns/s", unit: "", better: "more" },
  { key: "p50", title: "p50", unit: "ms", better: "less" },
  { key: "p99", title: "p99", unit: "ms", better: "less" },
  { key: "cpu", title: "CPU of the channel per turn", unit: "ms", better: "less" },
  { key: "databaseCpu", title: "CPU of PostgreSQL per turn", unit: "ms", better: "less" },
];

/** Each database and its channel start in their first round and idle while others are measured. */
function part(
  title: string,
  subjects: Readonly<Record<string, Subject>>,
  baselines: readonly string[],
): Part {
  return {
    title,
    figures: turnFigures,
    titles: Object.fromEntries(Object.entries(subjects).map(([name, { title }]) => [name, title])),
    baselines,
    subjects: () => Object.keys(subjects),
    async open(options) {
      const databases = new Databases();
      const urls = new Map<string, string>();
      const channels = new Map<string, BenchChannel>();
      return {
        async measure(subject) {
          const chosen = subjects[subject];
          if (chosen === undefined) throw new Error(`Unknown subject: ${subject}`);
          const stored = chosen.many ? options.stored : few;
          const url = urls.get(subject) ?? (await databases.create(chosen.engine, stored));
          urls.set(subject, url);
          const channel = channels.get(subject) ?? (await databases.startChannel(url));
          channels.set(subject, channel);
          return measureTurns(databases, channel, options);
        },
        async close() {
          for (const { program } of channels.values()) await end(program);
          await databases.remove();
        },
      };
    },
  };
}

async function measureTurns(
  databases: Databases,
  { port, program }: BenchChannel,
  { seconds }: Options,
): Promise<Measured> {
  const senders = await openSenders(port, clients);
  await repeatFor(senders, warmUpSeconds, sendOne);
  const used = () => processorTime(program.pid);
  const [cpu, databaseCpu, began] = [used(), databases.postgresTime(), performance.now()];
  const times = await repeatFor(senders, seconds, sendOne);
  const elapsed = performance.now() - began;
  for (const { wire } of senders) wire.close();
  return measured(times, elapsed, used() - cpu, databases.postgresTime() - databaseCpu);
}

function measured(times: readonly number[], elapsed: number, cpu: number, databaseCpu: number): Measured {
  return {
    perSecond: (times.length * 1_000) / elapsed,
    p50: median(times),
    p99: quantile(times, 0.99),
    cpu: cpu / times.length,
    databaseCpu: databaseCpu / times.length,
  };
}

export const turns = part(
  `Turns of the channel, ${clients} customers`,
  {
    pglite: { title: "**the channel on PGlite**", engine: "pglite" },
    postgres: { title: "**the channel on PostgreSQL**", engine: "postgres" },
  },
  ["pglite"],
);

export const growth = part(
  `Turns with many stored messages, ${clients} customers`,
  {
    pglite: { title: "PGlite, a thousand messages", engine: "pglite" },
    "pglite-many": { title: "PGlite, a million messages", engine: "pglite", many: true },
    postgres: { title: "PostgreSQL, a thousand messages", engine: "postgres" },
    "postgres-many": { title: "PostgreSQL, a million messages", engine: "postgres", many: true },
  },
  ["pglite", "postgres"],
);
