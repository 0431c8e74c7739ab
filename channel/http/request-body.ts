/** Reads a request's body and detects a truncated one. */
import { ChatApiError } from "#lib/chat-api/errors.ts";

export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

export function bodyReader(request: Request): BodyReader {
  return (request.body ?? new Blob().stream()).getReader();
}

/**
 * Yields the body as it arrives.
 * @throws ChatApiError `internal_error` for a truncated body, because a client behind a proxy may still read
 *   the response: after a refusal it would choose a new key, although an earlier attempt may have succeeded.
 */
export async function* bodyPieces({ headers }: Request, reader: BodyReader): AsyncGenerator<Uint8Array> {
  const declaredBytes = Number(headers.get("content-length"));
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw lostBody(cause);
    });
    if (done) break;
    bytes += value.byteLength;
    yield value;
  }
  if (bytes < declaredBytes) throw lostBody(undefined);
}

function lostBody(cause: unknown): ChatApiError {
  return new ChatApiError("internal_error", {
    message: "The body was truncated. Send the same request again.",
    cause,
  });
}
