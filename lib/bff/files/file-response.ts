/**
 * A file on its way to the browser. It was written by someone, so nothing that it says of itself is believed: it gets
 * a type of the contract or none, opens inside a page only as the picture that its bytes are, and runs nowhere.
 */
import { fileMediaTypes, limits } from "#lib/chat-api/limits.ts";
import { contentDisposition, filenameOf } from "./filename.ts";
import { pictureTypeOf } from "./picture-type.ts";

/** Enough for every signature of `pictureTypeOf`. */
const signatureBytes = 16;

export async function fileResponse(answer: Response): Promise<Response> {
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
  return new Response(rest(head, reader), { headers });
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

function rest(head: Uint8Array, reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (head.byteLength > 0) controller.enqueue(head);
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
