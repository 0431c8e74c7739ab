/** Streams the bytes of a file. */

import type { Connection } from "./connection.ts";
import type { ClientSettings } from "./options.ts";
import type { Reply } from "./reply.ts";
import { contractError } from "./response.ts";

/**
 * The response with a body that enforces the client's limits: it fails with ContractError beyond the size of
 * a file, and with ChatConnectionError when it stalls.
 */
export function limitedDownload(connection: Connection, settings: ClientSettings): Response {
  const { status, headers } = connection.response;
  return new Response(limitedBody(connection, settings), { status, headers: decodedHeaders(headers) });
}

/** fetch has decoded the body but keeps the headers of its encoded form. */
function decodedHeaders(headers: Reply["headers"]): Headers {
  const decoded = new Headers([...headers]);
  if (decoded.has("content-encoding")) {
    decoded.delete("content-encoding");
    decoded.delete("content-length");
  }
  return decoded;
}

function limitedBody(
  connection: Connection,
  { limits, timeouts }: ClientSettings,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await connection.read(timeouts.idle);
        if (piece === undefined) return controller.close();
        connection.pause();
        bytes += piece.byteLength;
        if (bytes > limits.fileBytes) {
          connection.close();
          throw contractError(connection, "too_large", "the file is larger than the client's limit");
        }
        controller.enqueue(piece);
      },
      cancel: () => connection.close(),
    },
    // Pulls a chunk only when the reader asks for one.
    { highWaterMark: 0 },
  );
}
