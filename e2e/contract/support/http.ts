/**
 * A small HTTP client for tests. It sends exactly the given request (an `Origin`, duplicate headers, no
 * content type, a chunked body), which `fetch` would correct, hide or refuse.
 */
import http from "node:http";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";

export type Headers = Readonly<Record<string, string | readonly string[]>>;
/** A list is sent in chunks, without a content length. */
export type Body = string | Uint8Array | readonly Uint8Array[];

export interface HttpRequest {
  method: string;
  base: URL;
  /** Relative to the base URL and sent without normalisation. */
  path: string;
  headers?: Headers;
  body?: Body | undefined;
  timeoutMilliseconds: number;
}

export interface Head {
  status: number;
  /** Names in lower case; the values of duplicate headers are joined by a comma. */
  headers: Readonly<Record<string, string>>;
}

export interface WholeResponse extends Head {
  bytes: Buffer;
  text: string;
}

/** A response whose body has not been read yet. */
export interface OpenResponse extends Head {
  /** Ends early, without an error, when the connection breaks: see `complete`. */
  chunks: AsyncIterable<Buffer>;
  /** True once the whole body has arrived, by its Content-Length or its last chunk. */
  complete: () => boolean;
  /** Closes the connection. */
  close: () => void;
}

const agents = {
  "http:": new http.Agent({ keepAlive: true, maxSockets: 256 }),
  "https:": new https.Agent({ keepAlive: true, maxSockets: 256 }),
};

function headOf(message: http.IncomingMessage): Head {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (values !== undefined) headers[name] = values.join(", ");
  }
  return { status: message.statusCode ?? 0, headers };
}

async function* chunksOf(message: http.IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of message) yield chunk as Buffer;
  } catch (error) {
    // A cut connection is an outcome that tests examine (`complete`), not a failure by itself.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function bodyHeaders(body: Body | undefined, given: Headers): Headers {
  const named = Object.keys(given).map((name) => name.toLowerCase());
  if (body === undefined || named.includes("content-length") || named.includes("transfer-encoding"))
    return {};
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return { "Transfer-Encoding": "chunked" };
  return { "Content-Length": String(Buffer.byteLength(body)) };
}

/**
 * Asks for an uncompressed response. Without `Accept-Encoding` a server may use any coding (RFC 9110, section
 * 12.5.3), and this client decodes none.
 */
function uncompressed(given: Headers): Headers {
  const named = Object.keys(given).some((name) => name.toLowerCase() === "accept-encoding");
  return named ? {} : { "Accept-Encoding": "identity" };
}

export function open(request: HttpRequest): Promise<OpenResponse> {
  const { method, base, path, headers = {}, body, timeoutMilliseconds } = request;
  const secure = base.protocol === "https:";
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? https : http).request({
      method,
      host: base.hostname.replace(/^\[|\]$/g, ""),
      port: base.port,
      path: base.pathname.replace(/\/$/, "") + path,
      headers: {
        ...uncompressed(headers),
        ...headers,
        ...bodyHeaders(body, headers),
      } as http.OutgoingHttpHeaders,
      agent: agents[secure ? "https:" : "http:"],
    });
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`${method} ${path} timed out`)),
      timeoutMilliseconds,
    );
    outgoing.once("close", () => clearTimeout(timer));
    outgoing.once("response", (message) =>
      resolve({
        ...headOf(message),
        chunks: chunksOf(message),
        complete: () => message.complete,
        close: () => message.destroy(),
      }),
    );
    // After an early response (413) the peer may close while the body is still being written.
    outgoing.on("error", reject);
    if (body === undefined || typeof body === "string" || body instanceof Uint8Array) outgoing.end(body);
    else {
      for (const chunk of body) outgoing.write(chunk);
      outgoing.end();
    }
  });
}

/** Reads the whole body. */
export async function whole(response: OpenResponse): Promise<WholeResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response.chunks) chunks.push(chunk);
  if (!response.complete()) throw new Error("the response was cut");
  const bytes = Buffer.concat(chunks);
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString("utf8") };
}

export const send = async (request: HttpRequest): Promise<WholeResponse> => whole(await open(request));

/** Waits this long for more of a response, such as one to a smuggled second request. */
const quietTime = 700;

/**
 * Writes raw bytes to a connection and returns the received bytes once the peer closes, is silent after its
 * first bytes, or sends nothing within the time limit. For requests that no HTTP library would send.
 */
export function exchangeBytes(
  base: URL,
  parts: readonly (string | Uint8Array)[],
  options: { timeoutMilliseconds: number; halfClose?: boolean },
): Promise<string> {
  const port = Number(base.port || (base.protocol === "https:" ? 443 : 80));
  return new Promise((resolve, reject) => {
    const socket =
      base.protocol === "https:"
        ? tls.connect({ host: base.hostname, port, servername: base.hostname })
        : net.connect({ host: base.hostname, port, allowHalfOpen: true });
    let received = "";
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(options.timeoutMilliseconds, finish);
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString("latin1");
      socket.setTimeout(quietTime);
    });
    socket.once("end", finish);
    socket.once("close", finish);
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET" || error.code === "EPIPE") finish();
      else reject(error);
    });
    for (const part of parts) socket.write(part);
    if (options.halfClose === true) socket.end();
  });
}

/** The status of a raw response; undefined without one. */
export function statusOf(received: string): number | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** The JSON object in the body of a raw response, without chunk framing. */
export function bodyOf(received: string): string {
  const body = received.slice(received.indexOf("\r\n\r\n") + 4);
  return body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1);
}

/** Bodies of `multipart/form-data` are written by hand, so that tests can send malformed ones. */
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
