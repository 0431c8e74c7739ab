/** The turn streams that are open to browsers in this process: how many there may be, and how they all come to an end. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { bffLimits } from "../limits.ts";
import type { Session } from "../session.ts";

/** Ends one stream with an error event. Called at most once. */
export type EndStream = (error: ChatApiError) => void;

export interface Streams {
  readonly size: number;
  readonly draining: boolean;
  /**
   * Takes a place for a stream of this session's. Call what is given back when the stream is over.
   * @throws ChatApiError `rate_limited` where the session or the process has too many open.
   */
  open(session: Session, end: EndStream): () => void;
  /** Ends every stream of a session that is over. */
  endAllOf(session: Session): void;
  /** @throws ChatApiError `service_unavailable` once the process is about to stop. */
  requireOpen(): void;
  /** Takes no more requests, lets streams finish for a while, then ends the rest. Resolves when none is left. */
  drain(time?: number): Promise<void>;
}

/** A place is free again when a reply is finished, which takes seconds. */
const retryAfterSeconds = 2;

interface OpenStream {
  seal: string;
  end: EndStream;
}

export function createStreams(): Streams {
  const streams = new Set<OpenStream>();
  let draining = false;
  let whenEmpty: (() => void) | undefined;

  const stopping = () => new ChatApiError("service_unavailable", { retryAfterSeconds });
  const ofSession = ({ seal }: Session) => [...streams].filter((stream) => stream.seal === seal);

  return {
    get size() {
      return streams.size;
    },
    get draining() {
      return draining;
    },
    open(session, end) {
      const full = streams.size >= bffLimits.streamsPerProcess;
      if (full || ofSession(session).length >= bffLimits.streamsPerSession) {
        throw new ChatApiError("rate_limited", { retryAfterSeconds });
      }
      const stream = { seal: session.seal, end };
      streams.add(stream);
      return () => {
        streams.delete(stream);
        if (streams.size === 0) whenEmpty?.();
      };
    },
    endAllOf(session) {
      for (const stream of ofSession(session)) stream.end(new ChatApiError("session_required"));
    },
    requireOpen() {
      if (draining) throw stopping();
    },
    async drain(time = bffLimits.drainTime) {
      draining = true;
      if (streams.size === 0) return;
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve;
      });
      const timer = setTimeout(() => {
        for (const stream of [...streams]) stream.end(stopping());
      }, time);
      await empty;
      clearTimeout(timer);
    },
  };
}
