/** Bodies of `multipart/form-data`, written by hand so that tests can send malformed ones. */

export interface MultipartPart {
  name: string;
  filename?: string | undefined;
  /** Content type of the part; none when undefined. */
  mediaType?: string | undefined;
  bytes: Uint8Array;
}

export interface MultipartBody {
  body: Uint8Array;
  contentType: string;
}

export function multipart(
  parts: readonly MultipartPart[],
  options: { boundary?: string; end?: boolean } = {},
): MultipartBody {
  const boundary = options.boundary ?? `----part-${Math.random().toString(36).slice(2)}`;
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    const lines = [
      `--${boundary}`,
      // Browsers percent-encode quotes and line breaks in names.
      `Content-Disposition: form-data; name="${part.name}"${part.filename === undefined ? "" : `; filename="${quoted(part.filename)}"`}`,
      ...(part.mediaType === undefined ? [] : [`Content-Type: ${part.mediaType}`]),
      "",
      "",
    ];
    pieces.push(Buffer.from(lines.join("\r\n")), part.bytes, Buffer.from("\r\n"));
  }
  if (options.end !== false) pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: Buffer.concat(pieces), contentType: `multipart/form-data; boundary=${boundary}` };
}

function quoted(filename: string): string {
  return filename.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
