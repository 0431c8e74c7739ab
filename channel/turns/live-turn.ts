/** A turn that runs in this process: what it has streamed so far, for any number of watchers. */
import type { TurnOutcome } from "./outcome.ts";

/**
 * Watchers pull: each remembers how much of the text it has passed on. A slow one holds nothing up and nothing in
 * memory, and what has gathered for it goes out in one piece.
 */
export class LiveTurn {
  /** Of the running attempt: after a failed one the turn begins again, and what was streamed of it counts no more. */
  text = "";
  /** The running attempt's. */
  fence: number;
  /** Set once, when the turn has ended. */
  outcome: TurnOutcome | undefined;
  /** Called at every change, and when the turn does not run here any more. */
  readonly watchers = new Set<() => void>();

  constructor(fence: number) {
    this.fence = fence;
  }

  append(text: string): void {
    this.text += text;
    this.wake();
  }

  restart(fence: number): void {
    this.fence = fence;
    this.text = "";
    this.wake();
  }

  settle(outcome: TurnOutcome): void {
    this.outcome ??= outcome;
    this.wake();
  }

  wake(): void {
    for (const watcher of this.watchers) watcher();
  }
}
