/**
 * The pipeline's response. The server converts it to the platform's `Response` or writes it to a socket:
 * creating a `Response` and its `Headers` costs more than the rest of a read (`npm run bench -- reads`).
 */
export interface ChatResponse {
  readonly status: number;
  /** Names are spelt as in `apiHeaders`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | PushedBody | null;
}

/** The destination of a pushed body, for example a socket. */
export interface BodySink {
  /** False when the source must wait for `drained`. */
  write(text: string): boolean;
  end(): void;
  /** Aborts the response. */
  destroy(error: Error): void;
}

/** A body whose source writes whenever it has data and the sink has room. */
export interface PushedBody {
  /** Connects the sink. Pending and later data goes to the sink that was opened last. */
  open(sink: BodySink): void;
  /** Called when the sink has room again. */
  drained(): void;
  /** Called when the browser has disconnected. */
  left(): void;
}

export function isPushed(body: Body): body is PushedBody {
  return typeof body === "object" && "drained" in body;
}

type Body = NonNullable<ChatResponse["body"]>;

/** @param bodyOf Converts the body for a server with a faster way to send it. */
export function toPlatformResponse(
  { status, headers, body }: ChatResponse,
  bodyOf: (body: Body) => BodyInit = platformBody,
): Response {
  return new Response(body === null ? null : bodyOf(body), { status, headers });
}

function platformBody(body: Body): BodyInit {
  return isPushed(body) ? new ReadableStream(sourceOf(body), unbuffered) : body;
}

/** The pushed body as the source of a web stream. */
export function sourceOf(pushed: PushedBody): UnderlyingDefaultSource<Uint8Array> {
  return {
    start(controller) {
      pushed.open({
        write(text) {
          controller.enqueue(Buffer.from(text));
          return false;
        },
        end: () => controller.close(),
        destroy: (error) => controller.error(error),
      });
    },
    pull: () => pushed.drained(),
    cancel: () => pushed.left(),
  };
}

/** The stream buffers nothing, so that deltas wait in the source, which joins them. */
export const unbuffered = { highWaterMark: 0 };
