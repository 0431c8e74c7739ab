/** Reads the body of an upload, which has one part, `file`. */
import { hash } from "node:crypto";
import { Busboy } from "@fastify/busboy";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type FileMediaType, limits } from "#lib/chat-api/limits.ts";
import { hasTooManyPixels, tooManyPixels } from "#lib/chat-api/picture-size.ts";
import { readChunks } from "../http/request-body.ts";
import { storableFilename } from "./filename.ts";
import { allowedMediaType, bytesMatch, sampleBytes } from "./media-type.ts";

/** Room for delimiters and the part's headers. */
const multipartOverheadBytes = 16 * 1024;
const partHeaderBytes = 8 * 1024;
const partHeaderLines = 8;

export interface ReceivedFile {
  filename: string;
  mediaType: FileMediaType;
  bytes: Uint8Array<ArrayBuffer>;
  /** Hash of the file's bytes, in hexadecimal. */
  sha256: string;
}

/**
 * @throws ChatApiError `unsupported_media_type`, `invalid_request`, `payload_too_large`, `unsupported_file`,
 * and the errors of `readChunks`
 */
export async function receiveFile(request: Request): Promise<ReceivedFile> {
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType.split(";", 1)[0]?.trim().toLowerCase() !== "multipart/form-data")
    throw new ChatApiError("unsupported_media_type");
  const body = await readChunks(request, limits.fileBytes + multipartOverheadBytes);
  const part = await readPart(contentType, body);
  if (part.name !== "file") throw invalidUpload("No other part than `file` is allowed.");
  if (!["7bit", "8bit", "binary"].includes(part.transferEncoding))
    throw invalidUpload("The file's bytes must be sent as they are, without a transfer encoding.");
  const mediaType = allowedMediaType(part.declaredType);
  if (mediaType === undefined) throw new ChatApiError("unsupported_file", { field: "/file" });
  const bytes = Buffer.concat(part.chunks);
  if (bytes.byteLength > limits.fileBytes) throw new ChatApiError("payload_too_large", { field: "/file" });
  if (!(await bytesMatch(mediaType, bytes.subarray(0, sampleBytes))))
    throw new ChatApiError("unsupported_file", {
      field: "/file",
      message: `The file's bytes are not those of ${mediaType}.`,
    });
  if (hasTooManyPixels(bytes))
    throw new ChatApiError("unsupported_file", { field: "/file", message: tooManyPixels });
  const filename = storableFilename(part.filename, mediaType);
  return { filename, mediaType, bytes, sha256: hash("sha256", bytes) };
}

interface FilePart {
  name: string;
  filename: string;
  transferEncoding: string;
  declaredType: string;
  chunks: Uint8Array[];
}

/** @throws ChatApiError `invalid_request` unless the body is well-formed and has one part, a file */
async function readPart(contentType: string, body: readonly Uint8Array[]): Promise<FilePart> {
  try {
    return await new Promise<FilePart>((resolve, reject) => {
      const parser = new Busboy({
        headers: { "content-type": contentType },
        preservePath: true,
        isPartAFile: (_name, _type, filename) => filename !== undefined,
        limits: { parts: 1, fields: 0, headerSize: partHeaderBytes, headerPairs: partHeaderLines },
      });
      let part: FilePart | undefined;
      parser.on("file", (name, stream, filename, transferEncoding, declaredType) => {
        const chunks: Uint8Array[] = [];
        part = { name, filename, transferEncoding, declaredType, chunks };
        stream.on("data", (chunk) => chunks.push(chunk));
        // The parser reports a truncated body on this stream as well as on itself.
        stream.on("error", reject);
      });
      parser.on("partsLimit", () => reject(invalidUpload("No other part than `file` is allowed.")));
      parser.on("fieldsLimit", () =>
        reject(invalidUpload("The part must be a file: it must have a filename.")),
      );
      parser.on("error", reject);
      parser.on("finish", () => {
        if (part === undefined) reject(invalidUpload("The part `file` is missing."));
        else resolve(part);
      });
      for (const chunk of body) parser.write(chunk);
      parser.end();
    });
  } catch (cause) {
    if (cause instanceof ChatApiError) throw cause;
    throw new ChatApiError("invalid_request", {
      message: "The body is not well-formed multipart/form-data.",
      cause,
    });
  }
}

function invalidUpload(message: string): ChatApiError {
  return new ChatApiError("invalid_request", { field: "/file", message });
}
