/**
 * A file on its way to the browser. It was written by someone, so nothing that it says of itself is believed: it gets
 * a type of the contract or none, opens inside a page only as the picture that its bytes are, and runs nowhere.
 */
import { fileMediaTypes, limits } from "#lib/chat-api/limits.ts";
import { bffLimits } from "../limits.ts";
import { contentDisposition, filenameOf } from "./filename.ts";
import { pictureTypeOf } from "./picture-type.ts";

/** Enough for every signature of `pictureTypeOf`. */
const signatureBytes = 16;

/** How the file's way to the browser ended, for the log. */
export type FileOutcome = "done" | "failed" | "left" | "stalled";

/** @param begin Called when the answer is sure to begin; what it gives back is called once, at the end of all. */
export async function fileResponse(
  answer: Response,
  begin: () => (outcome: FileOutcome) => void,
): Promise<Response> {
  const reader = (answer.body ?? new ReadableStream()).getReader();
  const head = await readHead(reader);
  const declared = (answer.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
  const picture = pictureTypeOf(head);
  const known = fileMediaTypes.find((type) => type === declared);
  const inline = picture !== undefined && picture === declared;

  const headers = new Headers({
    "Content-Type": known ?? "application/octet-stream",
    "Content-Disposition": contentDisposition(
      inline ? "inline" : "attachment",
      filenameOf(answer.headers.get("content-disposition")) ?? "file",
    ),
    "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "Cache-Control": "private, no-store, no-transform",
  });
  const length = answer.headers.get("content-length");
  if (length !== null && /^\d+$/.test(length) && Number(length) <= limits.fileBytes) {
    headers.set("Content-Length", length);
  }
  return new Response(rest(head, reader, begin()), { headers });
}

async function readHead(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let bytes = 0; bytes < signatureBytes; ) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    bytes += value.byteLength;
  }
  return Buffer.concat(pieces);
}

/** A browser that takes nothing would hold the connection to the Chat API for ever: it is let go after its time. */
function rest(
  head: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onEnd: (outcome: FileOutcome) => void,
): ReadableStream<Uint8Array> {
  // Runs while it is the browser's turn.
  let stallTimer: NodeJS.Timeout | undefined;
  // Set once, by whatever ends the file first.
  let ended = false;

  function end(outcome: FileOutcome) {
    clearTimeout(stallTimer);
    if (!ended) onEnd(outcome);
    ended = true;
  }

  function waitForBrowser(controller: ReadableStreamDefaultController<Uint8Array>) {
    stallTimer = setTimeout(() => {
      end("stalled");
      controller.error(new Error("The reader stalled"));
      // Only lets the Chat API's connection go: the outcome is told already, and a body that fails while it is let go is gone too.
      reader.cancel().catch(() => undefined);
    }, bffLimits.readerStallTime);
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (head.byteLength > 0) controller.enqueue(head);
        waitForBrowser(controller);
      },
      async pull(controller) {
        clearTimeout(stallTimer);
        const { done, value } = await reader.read().catch((error: unknown) => {
          end("failed");
          throw error;
        });
        if (ended) return;
        if (done) {
          end("done");
          controller.close();
          return;
        }
        controller.enqueue(value);
        waitForBrowser(controller);
      },
      cancel(reason) {
        end("left");
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
