/**
 * Streams the body of an upload, which has one part, `file`. Only a few chunks are in memory at a time,
 * whatever the file's size.
 */
import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type FileMediaType, limits } from "#lib/chat-api/limits.ts";
import { type BodyReader, bodyPieces, bodyReader } from "../http/request-body.ts";
import { storableFilename } from "./filename.ts";
import { allowedMediaType, bytesMatch, sampleBytes } from "./media-type.ts";

/** Room for delimiters and the part's headers. */
export const multipartOverheadBytes = 16 * 1024;
const partHeaderBytes = 8 * 1024;
const partHeaderLines = 8;
/**
 * How much of a refused body is still read. A client that only reads after writing would otherwise see a
 * connection reset instead of the refusal.
 */
const drainedBytes = 64 * 1024 * 1024;

export interface ReceivedFile {
  filename: string;
  mediaType: FileMediaType;
  byteSize: number;
  /** Hash of the file's bytes, in hexadecimal. */
  sha256: string;
  /** The name under which `KeepBytes` has stored the bytes. */
  storageKey: string;
}

/**
 * Stores the bytes as they arrive and returns their name. When the upload is refused, `bytes` throws, and
 * this function removes what it has stored.
 */
export type KeepBytes = (bytes: AsyncIterable<Uint8Array>) => Promise<string>;

/**
 * Receives the file of an upload. Resolves when the whole body has been read and `keep` has resolved.
 *
 * @throws ChatApiError `unsupported_media_type`, `invalid_request`, `payload_too_large`, `unsupported_file`,
 * and the errors of `bodyPieces`
 */
export async function receiveFile(request: Request, keep: KeepBytes): Promise<ReceivedFile> {
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType.split(";", 1)[0]?.trim().toLowerCase() !== "multipart/form-data")
    throw new ChatApiError("unsupported_media_type");
  const body = bodyReader(request);
  try {
    return await readMultipart(contentType, bodyPieces(request, body), keep);
  } catch (error) {
    await drain(body);
    throw error;
  } finally {
    body.releaseLock();
  }
}

async function readMultipart(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  keep: KeepBytes,
): Promise<ReceivedFile> {
  const parser = createParser(contentType);
  // The first problem aborts the reading, with its error as the signal's reason.
  const refusal = new AbortController();
  const refuse = (error: unknown) => refusal.abort(error);
  let receiving: Promise<ReceivedFile> | undefined;

  parser.on("file", (name, stream, filename, transferEncoding, declaredType) => {
    // The parser reports a truncated body on this stream as well as on itself.
    stream.on("error", (error) => refuse(asRefusal(error)));
    refusal.signal.addEventListener("abort", () => stream.destroy(asError(refusal.signal.reason)));
    const part = { name, stream, filename, transferEncoding, declaredType };
    receiving = receivePart(part, keep);
    receiving.catch(refuse);
  });
  parser.on("partsLimit", () => refuse(invalidUpload("No other part than `file` is allowed.")));
  parser.on("fieldsLimit", () => refuse(invalidUpload("The part must be a file: it must have a filename.")));

  try {
    await pipeline(countedChunks(body), parser, { signal: refusal.signal });
  } catch (error) {
    refuse(asRefusal(error));
  }
  // `keep` must settle before this function returns, even when the body is refused.
  const received = await Promise.allSettled([receiving]);
  refusal.signal.throwIfAborted();
  const outcome = received[0];
  if (outcome.status === "rejected") throw outcome.reason;
  if (outcome.value === undefined) throw invalidUpload("The part `file` is missing.");
  return outcome.value;
}

function createParser(contentType: string) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      isPartAFile: (_name, _type, filename) => filename !== undefined,
      limits: {
        parts: 1,
        fields: 0,
        fileSize: limits.fileBytes,
        headerSize: partHeaderBytes,
        headerPairs: partHeaderLines,
      },
    });
  } catch (error) {
    throw malformedUpload(error);
  }
}

interface FilePart {
  name: string;
  stream: BusboyFileStream;
  filename: string;
  transferEncoding: string;
  declaredType: string;
}

async function receivePart(part: FilePart, keep: KeepBytes): Promise<ReceivedFile> {
  if (part.name !== "file") throw invalidUpload("No other part than `file` is allowed.");
  if (!["7bit", "8bit", "binary"].includes(part.transferEncoding))
    throw invalidUpload("The file's bytes must be sent as they are, without a transfer encoding.");
  const mediaType = allowedMediaType(part.declaredType);
  if (mediaType === undefined) throw new ChatApiError("unsupported_file", { field: "/file" });

  const hash = createHash("sha256");
  let byteSize = 0;
  const checkedBytes = async function* () {
    const bytes: AsyncIterable<Uint8Array> = part.stream;
    let sample = new Uint8Array();
    for await (const chunk of bytes) {
      hash.update(chunk);
      byteSize += chunk.byteLength;
      if (sample.byteLength < sampleBytes) sample = Buffer.concat([sample, chunk]).subarray(0, sampleBytes);
      yield chunk;
    }
    if (part.stream.truncated) throw new ChatApiError("payload_too_large", { field: "/file" });
    if (!(await bytesMatch(mediaType, sample)))
      throw new ChatApiError("unsupported_file", {
        field: "/file",
        message: `The file's bytes are not those of ${mediaType}.`,
      });
  };
  const storageKey = await keep(checkedBytes());
  const filename = storableFilename(part.filename, mediaType);
  return { filename, mediaType, byteSize, sha256: hash.digest("hex"), storageKey };
}

async function* countedChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > limits.fileBytes + multipartOverheadBytes) throw new ChatApiError("payload_too_large");
    yield piece;
  }
}

async function drain(body: BodyReader): Promise<void> {
  let bytes = 0;
  try {
    for (let read = await body.read(); !read.done && bytes < drainedBytes; read = await body.read())
      bytes += read.value.byteLength;
    await body.cancel();
  } catch (error) {
    // The client has disconnected. Ignored, so that the log has the refusal.
    if (!(error instanceof Error)) throw error;
  }
}

function invalidUpload(message: string): ChatApiError {
  return new ChatApiError("invalid_request", { field: "/file", message });
}

function asRefusal(error: unknown): ChatApiError {
  return error instanceof ChatApiError ? error : malformedUpload(error);
}

function malformedUpload(cause: unknown): ChatApiError {
  return new ChatApiError("invalid_request", {
    message: "The body is not well-formed multipart/form-data.",
    cause,
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
