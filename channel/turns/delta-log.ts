/**
 * Writes streamed text to the database at intervals of `deltaFlush`, once a reader in another process follows
 * the turn.
 */
import { turnLimits } from "../channel-limits.ts";
import type { Core } from "../core.ts";
import { type Attempt, appendDelta } from "./turn-store.ts";

export type DeltaLog = ReturnType<typeof createDeltaLog>;

export function createDeltaLog(
  { database, report }: Pick<Core, "database" | "report">,
  attempt: Attempt,
  onLost: () => void,
) {
  let pending = "";
  /** A write whose outcome is unknown: it may have reached the database, so it is repeated unchanged. */
  let unconfirmed: { sequence: number; text: string } | undefined;
  let sequence = 0;
  let timer: NodeJS.Timeout | undefined;
  let isFollowed = false;
  let isFailing = false;
  let isStopped = false;

  async function write(): Promise<void> {
    if (unconfirmed === undefined) {
      sequence += 1;
      unconfirmed = { sequence, text: pending };
      pending = "";
    }
    const isOurs = await appendDelta(database.sql, attempt, unconfirmed.sequence, unconfirmed.text);
    unconfirmed = undefined;
    isFailing = false;
    if (!isOurs && !isStopped) onLost();
    await database.notify(attempt.operationId);
  }

  function schedule(): void {
    if (!isFollowed || isStopped || (pending === "" && unconfirmed === undefined)) return;
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
    append(text: string) {
      pending += text;
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
