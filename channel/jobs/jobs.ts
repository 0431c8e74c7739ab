/** Runs recurring work: each job by itself, a pause after each run, a failure reported and tried again at the next. */
import { setTimeout as pause } from "node:timers/promises";
import type { ReportFault } from "../report-fault.ts";

export interface Job {
  name: string;
  /** One run, over a bounded number of things. Returns how many: while there are more, it runs again at once. */
  run: () => Promise<number>;
  interval: number;
}

export interface Jobs {
  start(): void;
  /** Runs each until it has nothing left to do. */
  runAll(): Promise<void>;
  /** Resolves when no run goes on any more. */
  stop(): Promise<void>;
}

export function createJobs(jobs: readonly Job[], report: ReportFault): Jobs {
  const stopping = new AbortController();
  let loops: Promise<void>[] = [];

  async function runThrough(job: Job): Promise<void> {
    try {
      while ((await job.run()) > 0 && !stopping.signal.aborted);
    } catch (error) {
      report(`job ${job.name}`, error);
    }
  }

  async function repeat(job: Job): Promise<void> {
    while (!stopping.signal.aborted) {
      await runThrough(job);
      // Resolves early when the jobs stop.
      await pause(job.interval, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start() {
      loops = jobs.map(repeat);
    },
    async runAll() {
      for (const job of jobs) await runThrough(job);
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
