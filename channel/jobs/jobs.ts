/** Runs recurring work: each job by itself, a pause after each run, a failure reported and tried again at the next. */
import { setTimeout as pause } from "node:timers/promises";
import type { ReportFault } from "../report-fault.ts";

export interface Job {
  name: string;
  /** One run. What it counts is for tests. */
  run: () => Promise<number>;
  interval: number;
}

export interface Jobs {
  start(): void;
  /** Resolves when no run goes on any more. */
  stop(): Promise<void>;
}

export function createJobs(jobs: readonly Job[], report: ReportFault): Jobs {
  const stopping = new AbortController();
  let loops: Promise<void>[] = [];

  async function repeat(job: Job): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await job.run();
      } catch (error) {
        report(`job ${job.name}`, error);
      }
      // Resolves early when the jobs stop.
      await pause(job.interval, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start() {
      loops = jobs.map(repeat);
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
