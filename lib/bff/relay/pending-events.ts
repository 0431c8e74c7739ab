/** What waits to be written to one browser, in order. Deltas that wait together leave as one event. */
import { encodeTurnEvent, keepAliveComment, type TurnEvent } from "#lib/chat-api/turn-events.ts";

export interface PendingEvents {
  readonly isEmpty: boolean;
  add(event: TurnEvent): void;
  addComment(): void;
  /** No more will come. */
  end(): void;
  /** Resolves once there is something to take, or nothing will ever be. */
  available(): Promise<void>;
  /** Everything that waits, encoded; undefined after the end. */
  take(): Uint8Array | undefined;
}

export function createPendingEvents(): PendingEvents {
  const encoder = new TextEncoder();
  const events: TurnEvent[] = [];
  let comment = false;
  let ended = false;
  // Set while a reader waits for the next event.
  let wake: (() => void) | undefined;

  const changed = () => {
    wake?.();
    wake = undefined;
  };
  const isEmpty = () => events.length === 0 && !comment;

  return {
    get isEmpty() {
      return isEmpty();
    },
    add(event) {
      const last = events.at(-1);
      // A lone delta is taken at once; only what the socket is too slow for gets joined.
      if (last?.type === "delta" && event.type === "delta") last.text += event.text;
      else events.push({ ...event });
      changed();
    },
    addComment() {
      comment = true;
      changed();
    },
    end() {
      ended = true;
      changed();
    },
    available() {
      if (!isEmpty() || ended) return Promise.resolve();
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    take() {
      if (isEmpty()) return undefined;
      const text = (comment ? keepAliveComment : "") + events.map(encodeTurnEvent).join("");
      events.length = 0;
      comment = false;
      return encoder.encode(text);
    },
  };
}
