/** The bytes of a file, passed on as they come. */
import { contractError } from "./answer.ts";
import type { Connection } from "./connection.ts";
import type { ClientSettings } from "./options.ts";

/**
 * The answer with a body that keeps the client's limits: it fails with ContractError beyond the size of a file, and
 * with ChatConnectionError when it stops arriving.
 */
export function limitedDownload(connection: Connection, settings: ClientSettings): Response {
  const { status, headers } = connection.response;
  return new Response(limitedBody(connection, settings), { status, headers: decodedHeaders(headers) });
}

/** fetch has decoded the body, and leaves the headers that speak of its encoded form. */
function decodedHeaders(headers: Headers): Headers {
  const decoded = new Headers(headers);
  if (decoded.has("content-encoding")) {
    decoded.delete("content-encoding");
    decoded.delete("content-length");
  }
  return decoded;
}

function limitedBody(connection: Connection, settings: ClientSettings): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await connection.read(settings.timeouts.idle);
          if (piece === undefined) {
            connection.close();
            controller.close();
            return;
          }
          bytes += piece.byteLength;
          if (bytes > settings.limits.fileBytes) {
            throw contractError(connection, "too_large", "the file is larger than the client's limit");
          }
          controller.enqueue(piece);
        } catch (error) {
          connection.close();
          controller.error(error);
        }
      },
      cancel: () => connection.close(),
    },
    // No piece is asked for before the reader wants it: while the reader rests, no time runs.
    { highWaterMark: 0 },
  );
}
