/** A request's body as the bytes that go over the wire. */

export type WireBody = Uint8Array<ArrayBuffer>;

const boundary = "----simulation-boundary";

export async function bytesOf(body: RequestInit["body"], headers: Headers): Promise<WireBody | null> {
  if (body === null || body === undefined) return null;
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Blob) return new Uint8Array(await body.arrayBuffer());
  if (body instanceof FormData) {
    headers.set("content-type", `multipart/form-data; boundary=${boundary}`);
    return encodeForm(body);
  }
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError("The simulation does not know this kind of body");
}

/** Encodes with a boundary that is always the same, unlike the platform's. */
async function encodeForm(form: FormData): Promise<WireBody> {
  const parts: BlobPart[] = [];
  for (const [name, value] of form) {
    const file = typeof value === "string" ? "" : `; filename="${encodeURIComponent(value.name)}"`;
    const type = typeof value === "string" ? "" : `Content-Type: ${value.type}\r\n`;
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`);
    parts.push(value, "\r\n");
  }
  parts.push(`--${boundary}--\r\n`);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
