/** Reads request bodies with limits on bytes and time, whatever their headers declare. */
import type { z } from "zod";
import { ChatApiError } from "../../chat-api/errors.ts";
import { parseJsonObject, parseRequest } from "../../chat-api/parse-request.ts";
import { bffLimits } from "../configuration/limits.ts";
import { inTime } from "../limits/in-time.ts";
import type { Incoming } from "./options.ts";

export interface BodySource {
  readonly request: Request;
  /** Its body is read instead of the `Request`'s. */
  readonly incoming?: Incoming | undefined;
}

/**
 * Reads a request's body in the form that its route needs.
 * @throws ChatApiError
 */
export type BodyReader<B> = (source: BodySource) => Promise<B>;

/** The body of routes without one. A body that is sent anyway is not read. */
export const noBody: BodyReader<undefined> = async () => undefined;

export interface ReadLimits {
  maxBytes: number;
  /** Time for the whole body. */
  time: number;
  /** Time between two chunks. */
  idleTime?: number;
}

/**
 * Reads a JSON object that must match the schema.
 * @throws ChatApiError `unsupported_media_type`, `payload_too_large`, `invalid_json`, `invalid_request`
 */
export function jsonBody<S extends z.ZodType>(schema: S, maxBytes: number): BodyReader<z.output<S>> {
  return async (source) => {
    requireJsonType(source.request.headers);
    const bytes = await readBody(source, { maxBytes, time: bffLimits.jsonBodyTime });
    return parseRequest(schema, parseJsonObject(bytes));
  };
}

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

function requireJsonType(headers: Headers): void {
  if (!jsonType.test(headers.get("content-type") ?? "")) throw new ChatApiError("unsupported_media_type");
}

/** The buffer of a body grows from this length, because a caller may declare more than it sends. */
const firstBytes = 1_024;

/**
 * Reads the body into one buffer, which doubles as bytes arrive. Kept chunks of a body that is sent byte by
 * byte would take a hundred times as much.
 * @throws ChatApiError `payload_too_large`; `unsupported_media_type` for a compressed body, which is never
 *   decompressed; `service_unavailable` for one that is too slow or cut off.
 */
export async function readBody(
  { request, incoming }: BodySource,
  limits: ReadLimits,
): Promise<Buffer<ArrayBuffer>> {
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new ChatApiError("unsupported_media_type");
  }
  // Used to reject early and to notice a missing end. The body may still be longer than declared.
  const declaredBytes = Number(request.headers.get("content-length"));
  if (declaredBytes > limits.maxBytes) throw new ChatApiError("payload_too_large");
  const web = incoming === undefined ? request.body?.getReader() : undefined;
  const pieces = incoming === undefined ? web : arrivingBody(incoming);
  let bytes = Buffer.alloc(firstBytes);
  let size = 0;
  const end = Date.now() + limits.time;
  try {
    while (pieces !== undefined) {
      const time = Math.max(0, Math.min(end - Date.now(), limits.idleTime ?? limits.time));
      const { done, value } = await readBefore(pieces, time);
      if (done) break;
      const needed = size + value.byteLength;
      if (needed > limits.maxBytes) throw new ChatApiError("payload_too_large");
      if (needed > bytes.length) {
        const larger = Buffer.alloc(Math.max(needed, Math.min(limits.maxBytes, 2 * bytes.length)));
        bytes.copy(larger, 0, 0, size);
        bytes = larger;
      }
      bytes.set(value, size);
      size = needed;
    }
    if (size < declaredBytes) throw lostBody();
    return bytes.subarray(0, size);
  } finally {
    // The rest of a refused body is discarded, because the caller may read the response only after its end.
    incoming?.resume();
    // The refusal is already decided, so an error of the stream changes nothing.
    web?.cancel().catch(() => undefined);
  }
}

async function readBefore(pieces: BodyPieces, time: number) {
  try {
    const piece = pieces.read();
    // Most bodies have arrived whole, and a timer costs more than reading one. A stream's promise is not
    // always an instance of `Promise`, which libraries such as zone.js replace.
    return "done" in piece ? piece : await inTime(piece, time);
  } catch (cause) {
    throw lostBody(cause);
  }
}

/**
 * The error for a body that was cut off or too slow, usually because the connection was lost. An earlier
 * attempt under the same key may have succeeded, so the browser must keep the key, if it receives this
 * response at all.
 */
function lostBody(cause?: unknown): ChatApiError {
  const message = "The body did not arrive whole and in time. Send the same request again.";
  return new ChatApiError("service_unavailable", { message, retryAfterSeconds: 1, cause });
}

const consumed =
  "A body parser has read this request before the chat: mount toNodeHandler(chat) before express.json() and the like.";

type Piece = ReadableStreamReadResult<Uint8Array>;

/** A body's pieces, read as they are needed. Only one that has not arrived is a promise. */
interface BodyPieces {
  read(): Piece | Promise<Piece>;
}

/**
 * Other than the stream that Node, Next and Hono make of the body, it has every byte of one that has arrived
 * whole, also when its connection was reset since.
 */
function arrivingBody(incoming: Incoming): BodyPieces {
  if (incoming.readableDidRead) throw new Error(consumed);
  const read = (): Piece | Promise<Piece> => {
    const value: Uint8Array | null = incoming.read();
    if (value !== null) return { done: false, value };
    if (isRead(incoming)) return { done: true, value: undefined };
    if (incoming.destroyed) throw incoming.errored ?? new Error("The request was cut off");
    return nextEvent(incoming).then(read);
  };
  return { read };
}

/**
 * True when the whole body has been read. For HTTP/1.1, `complete` is true before the `end` event; for HTTP/2
 * it is also true for a body that was cut off.
 */
function isRead({ readableEnded, complete, httpVersionMajor }: Incoming): boolean {
  return readableEnded || (complete && httpVersionMajor === 1);
}

const events = ["readable", "end", "error", "close"];

function nextEvent(incoming: Incoming): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      for (const event of events) incoming.off(event, wake);
      resolve();
    };
    for (const event of events) incoming.on(event, wake);
  });
}
