/**
 * Several processes of a kind side by side: channels on one PostgreSQL, BFFs with one Redis. On two cores
 * more processes cannot raise the throughput, so this measures the cost of sharing.
 */
import type { ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { freePort } from "../../testing/processes/program.ts";
import { findOrInstallPrograms } from "../../testing/services/find-programs.ts";
import { endService, startService } from "../../testing/services/service-process.ts";
import { Databases, type RunningChannel } from "../support/channels.ts";
import type { Part } from "../support/part.ts";
import { measureRepeats, rateFigures, ratesOf } from "../support/repeat.ts";
import type { Target } from "../support/targets.ts";
import { connections, openReaders, read } from "./reads.ts";
import { measureTurns, turnFigures } from "./turns.ts";

const counts = ["1", "2", "4"];
const titlesOf = (what: string) =>
  Object.fromEntries(counts.map((count) => [count, `${count} ${what}${count === "1" ? "" : "s"}`]));

export const channels: Part = {
  title: "Turns of several channels on one PostgreSQL",
  figures: turnFigures,
  titles: titlesOf("channel"),
  baselines: ["1"],
  subjects: () => counts,
  async open(options) {
    const databases = new Databases();
    let url: string | undefined;
    const running: RunningChannel[] = [];
    return {
      async measure(subject) {
        url ??= await databases.create("postgres", 1_000);
        while (running.length < Number(subject)) running.push(await databases.startChannel(url));
        return measureTurns(databases, running.slice(0, Number(subject)), options);
      },
      async close() {
        for (const channel of running) await channel.running.stop();
        await databases.remove();
      },
    };
  },
};

export const bffs: Part = {
  title: `Chat reads of several BFFs with one Redis, ${connections} connections`,
  figures: rateFigures("read", "CPU of the BFFs"),
  titles: { alone: "1 BFF without Redis", ...titlesOf("BFF") },
  baselines: ["1"],
  subjects: () => ["alone", ...counts],
  async open({ seconds }, bench) {
    const redis = await startRedis();
    const sharing: Target[] = [];
    const alone = await bench.start("bff");
    const more = { REDIS_URL: redis.url, SESSION_SECRET: "of-the-benchmark".repeat(4) };
    return {
      async measure(subject) {
        const count = subject === "alone" ? 0 : Number(subject);
        while (sharing.length < count) sharing.push(await bench.start("bff", more));
        const targets = count === 0 ? [alone] : sharing.slice(0, count);
        const readers = await Promise.all(
          targets.map((target) => openReaders(target, connections / targets.length)),
        );
        const programs = targets.map(({ running }) => running);
        const repeats = await measureRepeats(programs, readers.flat(), seconds, read);
        for (const { wire } of readers.flat()) wire.close();
        return ratesOf(repeats);
      },
      async close() {
        for (const target of [alone, ...sharing]) await target.stop();
        await endService(redis.child, "SIGINT");
      },
    };
  },
};

async function startRedis(): Promise<{ url: string; child: ChildProcess }> {
  const { redisServer } = findOrInstallPrograms();
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
  const child = await startService(redisServer, args, { folder: tmpdir(), user: {}, port });
  return { url: `redis://127.0.0.1:${port}`, child };
}
