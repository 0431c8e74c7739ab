/** Writes down what a turn streams, a few times a second, where other processes may have readers of it. */
import type { Database } from "../db/database.ts";
import { turnLimits } from "../limits.ts";
import type { ReportFault } from "../report-fault.ts";
import { type Attempt, appendDelta } from "./turn-store.ts";

export interface DeltaLog {
  append(text: string): void;
  /** What is not written by then need not be: the finished turn holds the whole reply. */
  stop(): void;
}

export function createDeltaLog(
  deps: { database: Database; report: ReportFault },
  attempt: Attempt,
  onLost: () => void,
): DeltaLog {
  const { database, report } = deps;
  let pending = "";
  let sequence = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function write(): Promise<void> {
    const text = pending;
    pending = "";
    sequence += 1;
    const isOurs = await appendDelta(database.sql, attempt, sequence, text);
    if (!isOurs && !isStopped) onLost();
    await database.notify(attempt.operationId);
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      write()
        // Readers elsewhere wait for the finished reply then; whether the turn still is ours, the lease tells.
        .catch((error: unknown) => report("turn deltas", error))
        .finally(() => {
          timer = undefined;
          if (pending !== "" && !isStopped) schedule();
        });
    }, turnLimits.deltaFlush);
  }

  return {
    append(text) {
      if (!database.shared) return;
      pending += text;
      schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
