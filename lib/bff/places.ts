/** So many at a time, and no queue: who finds no place is told to come back. */
import { ChatApiError } from "#lib/chat-api/errors.ts";

export interface Places {
  /**
   * Call what is given back, once, to leave.
   * @throws ChatApiError `rate_limited`
   */
  take(): () => void;
}

export function createPlaces(count: number, retryAfterSeconds: number): Places {
  let free = count;
  return {
    take() {
      if (free === 0) throw new ChatApiError("rate_limited", { retryAfterSeconds });
      free -= 1;
      return () => {
        free += 1;
      };
    },
  };
}
