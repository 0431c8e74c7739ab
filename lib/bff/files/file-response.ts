/**
 * Sends a file to the browser. A customer may have made it, so its declared type is not trusted: a type
 * outside the contract becomes `application/octet-stream`, only a file with a picture's bytes is shown
 * inline, and a Content Security Policy keeps it from running.
 */
import { savedFilename, signatureBytes, signedMediaType } from "../../chat-api/file-types.ts";
import { fileMediaTypes, limits } from "../../chat-api/limits.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { GuardedFile } from "../upstream/upstream.ts";
import { contentDisposition, filenameOf, safeFilename } from "./filename.ts";

/** How the download ended, for the log. */
export type FileOutcome = "done" | "failed" | "left" | "stalled";

/**
 * @param begin Called when the file's first bytes have arrived. The function that it returns is called once,
 *   when the download has ended.
 */
export async function fileResponse(
  file: GuardedFile,
  begin: () => (outcome: FileOutcome) => void,
): Promise<Response> {
  const head = await readHead(file);
  const declared = (file.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
  const type = fileMediaTypes.find((name) => name === declared) ?? "application/octet-stream";
  const inline = declared.startsWith("image/") && declared === signedMediaType(head);

  const name = safeFilename(filenameOf(file.headers.get("content-disposition")) ?? "file");

  const headers: Record<string, string> = {
    "Content-Type": type,
    "Content-Disposition": contentDisposition(inline ? "inline" : "attachment", savedFilename(name, type)),
    "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "Cache-Control": "private, no-store, no-transform",
  };
  const length = file.headers.get("content-length");
  if (length !== null && /^\d+$/.test(length) && Number(length) <= limits.fileBytes) {
    headers["Content-Length"] = length;
  }
  return new Response(rest(head, file, begin()), { headers });
}

async function readHead(file: GuardedFile): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let bytes = 0; bytes < signatureBytes; ) {
    const { done, value } = await file.read();
    if (done) break;
    pieces.push(value);
    bytes += value.byteLength;
  }
  return Buffer.concat(pieces);
}

/**
 * The response's body. A browser that reads nothing would keep the connection to the Chat API open, so both
 * are closed.
 */
function rest(
  head: Uint8Array,
  file: GuardedFile,
  onEnd: (outcome: FileOutcome) => void,
): ReadableStream<Uint8Array> {
  // Runs while data waits for the browser to read it.
  let stallTimer: NodeJS.Timeout | undefined;
  // Set once, by the first outcome.
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
      // Closes the connection to the Chat API. The outcome is already reported, so a later error does not
      // matter.
      file.cancel().catch(() => undefined);
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
        const { done, value } = await file.read().catch((error: unknown) => {
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
        return file.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
