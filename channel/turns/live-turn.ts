/** A turn running in this process: its text so far, for any number of watchers. */
import type { TurnOutcome } from "./outcome.ts";

/**
 * Watchers pull: each remembers how much text it has passed on. A slow watcher blocks nothing and buffers
 * nothing; it receives the text that has accumulated in one piece.
 */
export class LiveTurn {
  /** The running attempt's text; a failed attempt's text is discarded. */
  text = "";
  /** The running attempt's fence. */
  fence: number;
  /** Set once, when the turn ends. */
  outcome: TurnOutcome | undefined;
  /** Called on every change, and when the turn stops running in this process. */
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
