/**
 * Writes a turn's streamed text to its row at intervals of `deltaFlush`, once a reader in another process
 * follows the turn.
 */
import { turnLimits } from "../channel-limits.ts";
import type { Core } from "../core.ts";
import { type Attempt, storeText } from "./turn-store.ts";

export type DeltaLog = ReturnType<typeof createDeltaLog>;

export function createDeltaLog(
  { database, report }: Pick<Core, "database" | "report">,
  attempt: Attempt,
  onLost: () => void,
) {
  let text = "";
  let stored = "";
  let timer: NodeJS.Timeout | undefined;
  let isFollowed = false;
  let isFailing = false;
  let isStopped = false;

  async function write(): Promise<void> {
    const current = text;
    const isOurs = await storeText(database.sql, attempt, current);
    stored = current;
    isFailing = false;
    if (!isOurs && !isStopped) onLost();
    await database.notify(attempt.operationId);
  }

  function schedule(): void {
    if (!isFollowed || isStopped || text === stored) return;
    timer ??= setTimeout(() => {
      write()
        .catch((error: unknown) => {
          // Reports an outage once, not ten times a second for each turn.
          if (!isFailing) report("turn deltas", error);
          isFailing = true;
        })
        .finally(() => {
          timer = undefined;
          schedule();
        });
    }, turnLimits.deltaFlush);
  }

  return {
    append(delta: string) {
      text += delta;
      schedule();
    },
    /** Writes the text streamed so far, and all later text. */
    follow() {
      isFollowed = true;
      schedule();
    },
    /** Stops writing. Unwritten text may be dropped: the finished turn holds the whole reply. */
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
