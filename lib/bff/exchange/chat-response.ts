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

export function isPushed(body: NonNullable<ChatResponse["body"]>): body is PushedBody {
  return typeof body === "object" && "drained" in body;
}

export function toPlatformResponse({ status, headers, body }: ChatResponse): Response {
  return new Response(body !== null && isPushed(body) ? streamOf(body) : body, { status, headers });
}

function streamOf(pushed: PushedBody): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        pushed.open({
          write(text) {
            controller.enqueue(encoder.encode(text));
            return false;
          },
          end: () => controller.close(),
          destroy: (error) => controller.error(error),
        });
      },
      pull: () => pushed.drained(),
      cancel: () => pushed.left(),
    },
    // The stream buffers nothing, so that deltas wait in the source, which joins them.
    { highWaterMark: 0 },
  );
}
