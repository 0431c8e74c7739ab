/** The events waiting to be written to one browser, in order. Waiting deltas are joined into one event. */
import {
  encodeDelta,
  encodeTurnEvent,
  keepAliveComment,
  type TurnEvent,
} from "../../chat-api/turn-events.ts";

export function createPendingEvents() {
  /** Events before the delta that may still grow: already encoded, because they no longer change. */
  let encoded = "";
  let delta = "";

  const closeDelta = () => {
    if (delta !== "") encoded += encodeDelta(delta);
    delta = "";
  };

  return {
    isEmpty: () => encoded === "" && delta === "",
    add(event: TurnEvent) {
      // Deltas are joined only while they wait for a slow socket.
      if (event.type === "delta") delta += event.text;
      else {
        closeDelta();
        encoded += encodeTurnEvent(event);
      }
    },
    addComment() {
      closeDelta();
      encoded += keepAliveComment;
    },
    /** Replaces all waiting events with this last one. */
    replace(event: TurnEvent) {
      encoded = encodeTurnEvent(event);
      delta = "";
    },
    /** All waiting events, encoded. */
    take() {
      closeDelta();
      const text = encoded;
      encoded = "";
      return text;
    },
  };
}
