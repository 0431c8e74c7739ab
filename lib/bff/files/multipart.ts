/**
 * Reads an upload, `multipart/form-data` with the one part `file` (docs/chat-api.md, "Operations"), and
 * encodes it again for the Chat API. `request.formData()` would accept any number of parts and bytes. The
 * whole file stays in memory (4 MiB at most), because it must be sent again if the response is lost. It is
 * held in buffers, because the garbage collector knows their size. It does not know the size of a `Blob`, so
 * hundreds of uploads as blobs would stay in memory until something else triggers a collection.
 */
import { randomBytes } from "node:crypto";
import { ChatApiError } from "../../chat-api/errors.ts";
import { signedMediaType } from "../../chat-api/file-signatures.ts";
import { type FileMediaType, fileMediaTypes, limits } from "../../chat-api/limits.ts";
import { hasTooManyPixels, tooManyPixels } from "../../chat-api/picture-size.ts";
import type { EncodedUpload } from "../../chat-client/client.ts";
import { bffLimits } from "../configuration/limits.ts";
import { type BodyReader, readBody } from "../http/body.ts";
import { createByteBlocks } from "../http/byte-blocks.ts";
import { safeFilename } from "./filename.ts";

interface Part {
  filename: string;
  /** One of the contract's types as declared, undefined for any other. The Chat API checks the bytes. */
  mediaType: FileMediaType | undefined;
}

/**
 * @throws ChatApiError `unsupported_media_type`, `payload_too_large`, `unsupported_file`, `invalid_request`
 *   with the field `/file`, and `service_unavailable` for a body that is too slow or cut off
 */
export const fileBody: BodyReader<EncodedUpload> = async (source) => {
  const reader = createPartReader(readBoundary(source.request.headers.get("content-type")));
  const body = readBody(source, {
    maxBytes: limits.fileBytes + bffLimits.multipartOverheadBytes,
    time: bffLimits.uploadTime,
    idleTime: bffLimits.uploadIdleTime,
  });
  for await (const piece of body) reader.add(piece);
  return reader.end();
};

function refuse(message: string): ChatApiError {
  return new ChatApiError("invalid_request", { field: "/file", message });
}

/** RFC 2046, section 5.1.1. */
const boundaryForm = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

function readBoundary(contentType: string | null): string {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim());
  const value = parameters.find((parameter) => /^boundary=/i.test(parameter))?.slice("boundary=".length);
  const boundary = value?.replace(/^"(.*)"$/, "$1") ?? "";
  if (type.toLowerCase() !== "multipart/form-data" || !boundaryForm.test(boundary)) {
    throw new ChatApiError("unsupported_media_type");
  }
  return boundary;
}

const maxHeaderLines = 8;
const maxHeaderBytes = 4_096;
const lineBreak = "\r\n";

function createPartReader(boundary: string) {
  const opening = `--${boundary}${lineBreak}`;
  const delimiter = Buffer.from(`${lineBreak}--${boundary}`);
  // Grows until the part's headers are complete.
  let head = Buffer.alloc(0);
  let part: Part | undefined;
  // The bytes after the headers.
  const content = createByteBlocks();
  // The last bytes of `content`, in which a delimiter may have begun.
  let tail = Buffer.alloc(0);
  // The length of the part's content, known once the delimiter has arrived.
  let contentEnd = 0;
  let closed = false;

  function readHead(piece: Buffer): Buffer {
    head = Buffer.concat([head, piece]);
    const start = head.subarray(0, opening.length).toString("latin1");
    if (!opening.startsWith(start)) throw refuse("The upload must begin with its one part.");
    const headersEnd = head.indexOf(lineBreak + lineBreak);
    if (headersEnd < 0) {
      if (head.length > maxHeaderBytes) throw refuse("The part's headers are too long.");
      return Buffer.alloc(0);
    }
    if (headersEnd > maxHeaderBytes) throw refuse("The part's headers are too long.");
    part = readPartHeaders(head.subarray(opening.length, headersEnd).toString("utf8"));
    return head.subarray(headersEnd + lineBreak.length * 2);
  }

  /** Finds the part's closing delimiter as soon as it arrives, and rejects a second part. */
  function findEnd(piece: Buffer): void {
    // The delimiter may begin in the tail. Only the piece's beginning is joined with the tail, because copies
    // of whole pieces would be a second file in memory.
    const seam = Buffer.concat([tail, piece.subarray(0, delimiter.length + 1)]);
    const inSeam = seam.indexOf(delimiter);
    const begun = inSeam >= 0 && inSeam < tail.length;
    const [seen, at] = begun ? [seam, inSeam] : [piece, piece.indexOf(delimiter)];
    const after =
      at < 0 ? undefined : seen.subarray(at + delimiter.length, at + delimiter.length + 2).toString("latin1");
    if (after !== undefined && !"--".startsWith(after)) throw refuse("The upload must have one part only.");
    closed = after === "--";
    if (closed) contentEnd = content.size() + at - (begun ? tail.length : 0);
    const last = piece.length > delimiter.length ? piece : seam;
    tail = Buffer.from(last.subarray(Math.max(0, last.length - delimiter.length - 1)));
  }

  return {
    add(bytes: Uint8Array) {
      if (closed) return;
      const arrived = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const piece = part === undefined ? readHead(arrived) : arrived;
      if (part === undefined || piece.length === 0) return;
      findEnd(piece);
      content.add(piece);
    },
    end(): EncodedUpload {
      if (part === undefined || !closed) throw refuse("The upload was cut off.");
      if (contentEnd > limits.fileBytes) throw new ChatApiError("payload_too_large");
      const blocks = content.until(contentEnd);
      if (hasTooManyPixels({ length: contentEnd, at: (index) => byteAt(blocks, index) }))
        throw new ChatApiError("unsupported_file", { field: "/file", message: tooManyPixels });
      const { filename, mediaType: declared } = part;
      // Some systems declare a photo as `application/octet-stream` or `image/jpg`.
      const mediaType = declared ?? signedMediaType(blocks.find(({ length }) => length > 0) ?? Buffer.of());
      if (mediaType === undefined) throw new ChatApiError("unsupported_file", { field: "/file" });
      return encodePart({ filename, mediaType }, blocks);
    },
  };
}

function byteAt(blocks: readonly Buffer[], index: number): number | undefined {
  let rest = index;
  for (const block of blocks) {
    if (rest < block.length) return block[rest];
    rest -= block.length;
  }
  return undefined;
}

const boundaryBytes = 24;

function encodePart({ filename, mediaType }: Part, content: readonly Buffer<ArrayBuffer>[]): EncodedUpload {
  // Random, so that no file contains it. The name has no quotes or line breaks (`safeFilename`).
  const boundary = `upload-${randomBytes(boundaryBytes).toString("base64url")}`;
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${filename}"`,
    `Content-Type: ${mediaType}`,
    lineBreak,
  ].join(lineBreak);
  const end = `${lineBreak}--${boundary}--${lineBreak}`;
  return {
    body: Buffer.concat([Buffer.from(head), ...content, Buffer.from(end)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

function readPartHeaders(text: string): Part {
  const lines = text === "" ? [] : text.split(lineBreak);
  if (lines.length > maxHeaderLines) throw refuse("The part has too many headers.");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw refuse("The part's headers cannot be read.");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const disposition = headers.get("content-disposition") ?? "";
  if (!/^form-data\s*;/i.test(disposition) || parameter(disposition, "name") !== "file") {
    throw refuse("The upload's one part must be named file.");
  }
  const filename = parameter(disposition, "filename");
  if (filename === undefined) throw refuse("The part must be a file with a name.");
  return { filename: safeFilename(filename), mediaType: readMediaType(headers.get("content-type")) };
}

/** HTML's form encoding percent-encodes the three characters that a quoted name cannot contain. */
function parameter(disposition: string, name: string): string | undefined {
  const quoted = new RegExp(`;\\s*${name}="([^"]*)"`, "i").exec(disposition)?.[1];
  return quoted?.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

function readMediaType(value = ""): FileMediaType | undefined {
  const essence = value.split(";", 1).join("").trim().toLowerCase();
  return fileMediaTypes.find((type) => type === essence);
}
