/** Streams the bytes of a file. */

import type { Connection } from "./connection.ts";
import type { ResponseHeaders } from "./exchange.ts";
import type { ClientSettings } from "./options.ts";
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
function decodedHeaders(headers: ResponseHeaders): Headers {
  const decoded = new Headers([...headers]);
  if (decoded.has("content-encoding")) {
    decoded.delete("content-encoding");
    decoded.delete("content-length");
  }
  return decoded;
}

function limitedBody(connection: Connection, settings: ClientSettings): ReadableStream<Uint8Array> {
  let bytes = 0;
  let isFlowing = false;
  /** True from the moment the reader asks for a chunk until it arrives. */
  let isWanted = false;

  async function flow(controller: ReadableStreamDefaultController<Uint8Array>) {
    try {
      await connection.flow({
        take(piece) {
          bytes += piece.byteLength;
          if (bytes > settings.limits.fileBytes) {
            throw contractError(connection, "too_large", "the file is larger than the client's limit");
          }
          isWanted = false;
          connection.response.pause();
          controller.enqueue(piece);
          return "more";
        },
        // No timer runs while the reader pauses.
        allowance: () => (isWanted ? settings.timeouts.idle : Number.POSITIVE_INFINITY),
      });
      controller.close();
    } catch (error) {
      controller.error(error);
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        isWanted = true;
        if (isFlowing) {
          connection.allow(settings.timeouts.idle);
          connection.response.resume();
        } else {
          isFlowing = true;
          void flow(controller);
        }
      },
      cancel: () => connection.close(),
    },
    // Pulls a chunk only when the reader asks for one.
    { highWaterMark: 0 },
  );
}
