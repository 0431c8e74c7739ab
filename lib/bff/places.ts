/** So many at a time, and so many of each session's, and no queue: who finds no place is told to come back. */
import { ChatApiError } from "#lib/chat-api/errors.ts";

export interface Places {
  /**
   * @param holder Who takes it, by a name that is theirs alone.
   * Call what is given back, once, to leave.
   * @throws ChatApiError `rate_limited`
   */
  take(holder: string): () => void;
}

export interface PlacesOptions {
  count: number;
  perHolder: number;
  retryAfterSeconds: number;
}

export function createPlaces({ count, perHolder, retryAfterSeconds }: PlacesOptions): Places {
  // How many each holder has; absent without any.
  const taken = new Map<string, number>();
  let free = count;
  return {
    take(holder) {
      const own = taken.get(holder) ?? 0;
      if (free === 0 || own >= perHolder) throw new ChatApiError("rate_limited", { retryAfterSeconds });
      free -= 1;
      taken.set(holder, own + 1);
      return () => {
        free += 1;
        const left = (taken.get(holder) ?? 0) - 1;
        if (left > 0) taken.set(holder, left);
        else taken.delete(holder);
      };
    },
  };
}
