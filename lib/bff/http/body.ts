/** Request bodies: read with a count and a clock, and never trusted for their own word on either. */
import type { z } from "zod";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { parseJsonObject, parseRequest } from "#lib/chat-api/parse-request.ts";
import { bffLimits } from "../limits.ts";
import { createByteBlocks } from "./byte-blocks.ts";

/** Reads a request's body as what its route needs. @throws ChatApiError */
export type BodyReader<B> = (request: Request) => Promise<B>;

/** For routes without a body. What a caller sends nevertheless is not read. */
export const noBody: BodyReader<undefined> = async () => undefined;

export interface ReadLimits {
  maxBytes: number;
  /** For the whole body. */
  time: number;
  /** Between two pieces of it. */
  idleTime?: number;
}

/**
 * A JSON object that the schema accepts.
 * @throws ChatApiError `unsupported_media_type`, `payload_too_large`, `invalid_json`, `invalid_request`
 */
export function jsonBody<S extends z.ZodType>(schema: S, maxBytes: number): BodyReader<z.output<S>> {
  return async (request) => {
    requireJsonType(request.headers);
    const bytes = createByteBlocks();
    for await (const piece of readBody(request, { maxBytes, time: bffLimits.jsonBodyTime })) bytes.add(piece);
    return parseRequest(schema, parseJsonObject(Buffer.concat(bytes.until(bytes.size))));
  };
}

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

function requireJsonType(headers: Headers): void {
  if (!jsonType.test(headers.get("content-type") ?? "")) throw new ChatApiError("unsupported_media_type");
}

/**
 * The body's bytes, counted as they arrive.
 * @throws ChatApiError `payload_too_large`; `unsupported_media_type` for a compressed body, which is never inflated;
 *   `invalid_request` for one that comes too slowly or breaks off.
 */
export async function* readBody(request: Request, limits: ReadLimits): AsyncGenerator<Uint8Array> {
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new ChatApiError("unsupported_media_type");
  }
  // Only ever a reason to refuse early: a smaller number is not believed.
  if (Number(request.headers.get("content-length")) > limits.maxBytes)
    throw new ChatApiError("payload_too_large");
  if (request.body === null) return;

  const reader = request.body.getReader();
  const end = Date.now() + limits.time;
  let bytes = 0;
  try {
    for (;;) {
      const time = Math.min(end - Date.now(), limits.idleTime ?? limits.time);
      const { done, value } = await readBefore(reader, time);
      if (done) return;
      bytes += value.byteLength;
      if (bytes > limits.maxBytes) throw new ChatApiError("payload_too_large");
      yield value;
    }
  } finally {
    void linger(reader);
  }
}

/**
 * Reads what a refused caller goes on sending, without keeping it: a connection that is closed at once would lose the
 * answer, which the caller reads only after its last byte.
 */
async function linger(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const end = Date.now() + bffLimits.lingerTime;
  try {
    for (let left = bffLimits.lingerBytes; left > 0; ) {
      const { done, value } = await readBefore(reader, end - Date.now());
      if (done) return;
      left -= value.byteLength;
    }
  } catch (error) {
    // The body has failed or takes too long, which was said before.
    if (!(error instanceof ChatApiError)) throw error;
  }
  reader.cancel().catch(() => undefined);
}

async function readBefore(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  time: number,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = "The body took too long to arrive.";
    timer = setTimeout(() => reject(new ChatApiError("invalid_request", { message })), time);
  });
  try {
    return await Promise.race([reader.read(), late]);
  } catch (cause) {
    if (cause instanceof ChatApiError) throw cause;
    throw new ChatApiError("invalid_request", { message: "The body broke off.", cause });
  } finally {
    clearTimeout(timer);
  }
}
