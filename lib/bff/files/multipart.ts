/**
 * Reads an upload, `multipart/form-data` with the one part `file` (docs/chat-api.md, "Operations"), and
 * encodes it again for the Chat API. `request.formData()` would accept any number of parts and bytes. The
 * whole file stays in memory (4 MiB at most), because it must be sent again if the response is lost. It is
 * held in buffers, because the garbage collector knows their size. It does not know the size of a `Blob`, so
 * hundreds of uploads as blobs would stay in memory until something else triggers a collection.
 */
import { randomBytes } from "node:crypto";
import { ChatApiError } from "../../chat-api/errors.ts";
import { signedMediaType } from "../../chat-api/file-types.ts";
import { type FileMediaType, fileMediaTypes, limits } from "../../chat-api/limits.ts";
import { hasTooManyPixels, tooManyPixels } from "../../chat-api/picture-size.ts";
import type { EncodedUpload } from "../../chat-client/client.ts";
import { bffLimits } from "../configuration/limits.ts";
import { type BodyReader, readBody } from "../http/body.ts";
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
  const boundary = readBoundary(source.request.headers.get("content-type"));
  const body = await readBody(source, {
    maxBytes: limits.fileBytes + bffLimits.multipartOverheadBytes,
    time: bffLimits.uploadTime,
    idleTime: bffLimits.uploadIdleTime,
  });
  return encodeUpload(body, boundary);
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

function encodeUpload(body: Buffer<ArrayBuffer>, boundary: string): EncodedUpload {
  const opening = `--${boundary}${lineBreak}`;
  const start = body.subarray(0, opening.length).toString("latin1");
  if (start !== opening) throw refuse("The upload must begin with its one part.");
  const headersEnd = body.subarray(0, maxHeaderBytes).indexOf(lineBreak + lineBreak);
  if (headersEnd < 0) throw refuse("The part's headers are too long or cut off.");
  const { filename, mediaType: declared } = readPartHeaders(
    body.subarray(opening.length, headersEnd).toString("utf8"),
  );
  const contentStart = headersEnd + lineBreak.length * 2;
  const delimiter = `${lineBreak}--${boundary}`;
  const contentEnd = body.indexOf(delimiter, contentStart, "latin1");
  const delimiterEnd = contentEnd + delimiter.length;
  const after = body.subarray(delimiterEnd, delimiterEnd + 2).toString("latin1");
  if (contentEnd < 0 || (after !== "--" && "--".startsWith(after))) throw refuse("The upload was cut off.");
  if (after !== "--") throw refuse("The upload must have one part only.");
  const content = body.subarray(contentStart, contentEnd);
  if (content.length > limits.fileBytes) throw new ChatApiError("payload_too_large");
  if (hasTooManyPixels(content))
    throw new ChatApiError("unsupported_file", { field: "/file", message: tooManyPixels });
  // Some systems declare a photo as `application/octet-stream` or `image/jpg`.
  const mediaType = declared ?? signedMediaType(content);
  if (mediaType === undefined) throw new ChatApiError("unsupported_file", { field: "/file" });
  return encodePart({ filename, mediaType }, content);
}

const boundaryBytes = 24;

function encodePart({ filename, mediaType }: Part, content: Buffer<ArrayBuffer>): EncodedUpload {
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
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(end)]),
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
