/** Turns of the channel: 64 customers send "hello" and read the answer to `done`, on each engine. */
import { type BenchChannel, Databases, type Engine } from "../support/channels.ts";
import { end } from "../support/machine.ts";
import type { Measured, Options, Part } from "../support/part.ts";
import { measureRepeats } from "../support/repeat.ts";
import { median, quantile } from "../support/statistics.ts";
import { openSenders, sendOne } from "../support/turn-load.ts";

const clients = 64;
const engines: Readonly<Record<Engine, string>> = { pglite: "PGlite", postgres: "PostgreSQL" };

/** Each engine with each number of stored messages, by name. */
function databasesOf({ stored }: Options): Map<string, readonly [Engine, number]> {
  return new Map(
    stored.flatMap((count) =>
      (["pglite", "postgres"] as const).map((engine) => [
        `${engines[engine]}, ${count.toLocaleString("en")} messages`,
        [engine, count],
      ]),
    ),
  );
}

/** Each database and its channel start in their first round and idle while others are measured. */
export const turns: Part = {
  title: `Turns of the channel, ${clients} customers`,
  figures: [
    { key: "perSecond", title: "turns/s", unit: "" },
    { key: "p50", title: "p50", unit: "ms" },
    { key: "p99", title: "p99", unit: "ms" },
    { key: "cpu", title: "CPU of the channel per turn", unit: "ms" },
    { key: "databaseCpu", title: "CPU of PostgreSQL per turn", unit: "ms" },
  ],
  subjects: (options) => [...databasesOf(options).keys()],
  async open(options) {
    const databases = new Databases();
    const channels = new Map<string, BenchChannel>();
    return {
      async measure(subject) {
        const [engine = "pglite", count = 0] = databasesOf(options).get(subject) ?? [];
        const channel = channels.get(subject) ?? (await databases.startChannel(engine, count));
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

async function measureTurns(
  databases: Databases,
  { port, program }: BenchChannel,
  { seconds }: Options,
): Promise<Measured> {
  const senders = await openSenders(port, clients);
  const measured = await measureRepeats([program.pid, databases.postgresPid], senders, seconds, sendOne);
  for (const { wire } of senders) wire.close();
  const { times, elapsed } = measured;
  const [cpu = 0, databaseCpu = 0] = measured.cpu.map((used) => used / times.length);
  const perSecond = (times.length * 1_000) / elapsed;
  return { perSecond, p50: median(times), p99: quantile(times, 0.99), cpu, databaseCpu };
}
