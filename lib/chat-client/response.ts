/** Checks a response before its body is read, reads JSON bodies and streams files. */
import type { ChatApiError } from "../chat-api/errors.ts";
import type { Connection } from "./connection.ts";
import { toChatApiError } from "./error-response.ts";
import { ChatConnectionError, ContractError, type ContractErrorKind } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { Parsed } from "./parser.ts";
import type { Reply } from "./request.ts";

export function contractError(connection: Connection, kind: ContractErrorKind, what: string): ContractError {
  return new ContractError(connection.call.operation, kind, what, connection.requestId);
}

/** The media type without its parameters, in lower case. */
export function mediaTypeOf({ response }: Connection): string {
  const value = response.headers.get("content-type") ?? "";
  const end = value.indexOf(";");
  return (end < 0 ? value : value.slice(0, end)).trim().toLowerCase();
}

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Returns if the response is a success.
 * @throws ChatApiError for an error response, ContractError for a redirect or a status that no operation has.
 */
export async function requireSuccess(connection: Connection, settings: ClientSettings): Promise<void> {
  const { status, type } = connection.response;
  if (status === 200 || status === 201) return;
  if (type === "opaqueredirect" || redirects.has(status)) {
    throw contractError(connection, "redirect", "the response is a redirect");
  }
  if (status >= 400) throw await readError(connection, settings);
  throw contractError(connection, "unreadable", `the response has status ${status}`);
}

/** @throws ChatConnectionError for a truncated error response, because the next step depends on its code. */
async function readError(connection: Connection, settings: ClientSettings): Promise<ChatApiError> {
  let body: unknown;
  try {
    body = await readJson(connection, settings);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    // Without a `Content-Length` a truncated body ends like a complete one.
    if (isJson(connection) && error.kind === "unreadable")
      throw new ChatConnectionError(connection.call.operation, "cut");
    // A status alone is enough: proxies respond with HTML or without a body.
  }
  const { status, headers } = connection.response;
  return toChatApiError(body, { operation: connection.call.operation, status, headers });
}

const isJson = (connection: Connection) => mediaTypeOf(connection) === "application/json";

/**
 * @throws ContractError when the body is not JSON or too large, ChatConnectionError when it does not arrive
 * whole.
 */
async function readJson(connection: Connection, settings: ClientSettings): Promise<unknown> {
  if (!isJson(connection)) {
    throw contractError(connection, "unreadable", "the response is not JSON");
  }
  const text = await readText(connection, settings);
  try {
    return JSON.parse(text);
  } catch {
    // The engine's error would quote the body.
    throw contractError(connection, "unreadable", "the response's JSON cannot be read");
  }
}

const decoder = new TextDecoder();

async function readText(connection: Connection, settings: ClientSettings): Promise<string> {
  const { timeouts } = settings;
  const allowance = connection.call.operation === "uploadFile" ? timeouts.upload : timeouts.json;
  const until = connection.sentAt + allowance;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const bytes = await connection.read(until - settings.now());
    if (bytes === undefined) break;
    size += bytes.byteLength;
    if (size > settings.limits.jsonBytes) {
      throw contractError(connection, "too_large", "the response is larger than the client's limit");
    }
    pieces.push(bytes as Uint8Array<ArrayBuffer>);
  }
  // Most responses arrive in one chunk.
  return decoder.decode(pieces.length === 1 ? pieces[0] : await new Blob(pieces).arrayBuffer());
}

/**
 * The body of a success, read by `parse`.
 * @throws ContractError, or ChatConnectionError if the body is truncated.
 */
export async function readResponse<T>(
  connection: Connection,
  settings: ClientSettings,
  parse: (body: unknown) => Parsed<T>,
): Promise<T> {
  const reading = parse(await readJson(connection, settings));
  if ("value" in reading) return reading.value;
  throw contractError(connection, "shape", `the response departs from the contract at ${reading.deviation}`);
}

/**
 * The response with a body that enforces the client's limits: it fails with ContractError beyond the size of
 * a file, and with ChatConnectionError when it stalls.
 */
export function limitedDownload(connection: Connection, settings: ClientSettings): Response {
  const { status, headers } = connection.response;
  return new Response(limitedBody(connection, settings), { status, headers: decodedHeaders(headers) });
}

/** fetch has decoded the body but keeps the headers of its encoded form. */
function decodedHeaders(headers: Reply["headers"]): Headers {
  const decoded = new Headers([...headers]);
  if (decoded.has("content-encoding")) {
    decoded.delete("content-encoding");
    decoded.delete("content-length");
  }
  return decoded;
}

function limitedBody(
  connection: Connection,
  { limits, timeouts }: ClientSettings,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await connection.read(timeouts.idle);
        if (piece === undefined) return controller.close();
        connection.pause();
        bytes += piece.byteLength;
        if (bytes > limits.fileBytes) {
          connection.close();
          throw contractError(connection, "too_large", "the file is larger than the client's limit");
        }
        controller.enqueue(piece);
      },
      cancel: () => connection.close(),
    },
    // Pulls a chunk only when the reader asks for one.
    { highWaterMark: 0 },
  );
}
