/**
 * Runs recurring jobs independently, with a pause after each run. Reports a failed run and repeats it after
 * the pause.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { ReportError } from "../report-error.ts";

export interface Job {
  name: string;
  /**
   * Processes one bounded batch. Returns how much it did, and is called again at once until it did nothing.
   */
  run: () => Promise<number>;
  interval: number;
}

export type Jobs = ReturnType<typeof createJobs>;

export function createJobs(jobs: readonly Job[], report: ReportError) {
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
      // Resolves early when the jobs are stopped.
      await pause(job.interval, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start() {
      loops = jobs.map(repeat);
    },
    /** Runs every job until nothing is left to do. */
    async runAll() {
      for (const job of jobs) await runThrough(job);
    },
    /** Resolves once no run is in progress. */
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
