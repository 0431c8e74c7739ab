import { limits } from "#lib/chat-api/limits.ts";
import type { ChannelContext } from "../http/app.ts";
import { readBytes } from "../http/request-body.ts";

export type Fields = Record<string, string>;

/**
 * The text fields of a submitted form; of a repeated name, the last value.
 * @throws ChatApiError `payload_too_large`
 */
export async function fieldsOf(
  context: ChannelContext,
  maxBytes: number = limits.collectionBodyBytes,
): Promise<Fields> {
  const text = new TextDecoder().decode(await readBytes(context.req.raw, maxBytes));
  const fields = [...new URLSearchParams(text)];
  return Object.fromEntries(fields.map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]));
}
