/** The events waiting to be written to one browser, in order. Waiting deltas are joined into one event. */
import {
  encodeDelta,
  encodeTurnEvent,
  keepAliveComment,
  type TurnEvent,
} from "../../chat-api/turn-events.ts";

export class PendingEvents {
  /** Events before the delta that may still grow: already encoded, because they no longer change. */
  #encoded = "";
  #delta = "";

  get isEmpty(): boolean {
    return this.#encoded === "" && this.#delta === "";
  }

  add(event: TurnEvent): void {
    // Deltas are joined only while they wait to be written.
    if (event.type === "delta") {
      this.#delta += event.text;
      return;
    }
    this.#closeDelta();
    this.#encoded += encodeTurnEvent(event);
  }

  addComment(): void {
    this.#closeDelta();
    this.#encoded += keepAliveComment;
  }

  /** Replaces all waiting events with this last one. */
  replace(event: TurnEvent): void {
    this.#encoded = encodeTurnEvent(event);
    this.#delta = "";
  }

  /** All waiting events, encoded. */
  take(): string {
    this.#closeDelta();
    const text = this.#encoded;
    this.#encoded = "";
    return text;
  }

  #closeDelta(): void {
    if (this.#delta !== "") this.#encoded += encodeDelta(this.#delta);
    this.#delta = "";
  }
}
