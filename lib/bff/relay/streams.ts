/** What this process is busy with: requests, and among them the turn streams, and how they all come to an end. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { bffLimits } from "../limits.ts";
import type { Session } from "../session.ts";

/** Ends one stream with an error event. Called at most once. */
export type EndStream = (error: ChatApiError) => void;

export interface Streams {
  /** Open streams. */
  readonly size: number;
  /** Counts a request, until what is given back is called. */
  enter(): () => void;
  /**
   * Takes a place for a stream of this session's. Call what is given back when the stream is over.
   * @throws ChatApiError `rate_limited` where the session or the process has too many open.
   */
  open(session: Session, end: EndStream): () => void;
  /** Ends every stream of a session that is over. */
  endAllOf(session: Session): void;
  /** @throws ChatApiError `service_unavailable` once the process is about to stop. */
  requireOpen(): void;
  /**
   * Takes no more requests and lets those that run finish for a while; then ends the streams that are left. Resolves
   * when nothing is left, or a moment later.
   */
  drain(): Promise<void>;
}

/** A place is free again when a reply is finished, which takes seconds. */
const retryAfterSeconds = 2;

interface OpenStream {
  seal: string;
  end: EndStream;
}

export function createStreams(): Streams {
  const streams = new Set<OpenStream>();
  let requests = 0;
  // Set once, for good.
  let draining = false;
  let whenIdle: (() => void) | undefined;

  const stopping = () => new ChatApiError("service_unavailable", { retryAfterSeconds });
  const ofSession = ({ seal }: Session) => [...streams].filter((stream) => stream.seal === seal);

  return {
    get size() {
      return streams.size;
    },
    enter() {
      requests += 1;
      return () => {
        requests -= 1;
        if (requests === 0) whenIdle?.();
      };
    },
    open(session, end) {
      const full = streams.size >= bffLimits.streamsPerProcess;
      if (full || ofSession(session).length >= bffLimits.streamsPerSession) {
        throw new ChatApiError("rate_limited", { retryAfterSeconds });
      }
      const stream = { seal: session.seal, end };
      streams.add(stream);
      return () => void streams.delete(stream);
    },
    endAllOf(session) {
      for (const stream of ofSession(session)) stream.end(new ChatApiError("session_required"));
    },
    requireOpen() {
      if (draining) throw stopping();
    },
    async drain() {
      draining = true;
      if (requests === 0) return;
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      const endStreams = setTimeout(() => {
        for (const stream of [...streams]) stream.end(stopping());
      }, bffLimits.drainTime);
      const giveUp = setTimeout(() => whenIdle?.(), bffLimits.drainTime + bffLimits.closeTime);
      await idle;
      clearTimeout(endStreams);
      clearTimeout(giveUp);
    },
  };
}
