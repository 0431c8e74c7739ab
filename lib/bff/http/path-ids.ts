/** The IDs in a path. They arrive percent-decoded and may contain anything: `../..`, `?`, line breaks. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { chatIdPattern, fileIdPattern } from "../../chat-api/patterns.ts";

export type PathParams = Readonly<Record<string, string | string[] | undefined>>;

export interface PathIds {
  chatId?: string;
  fileId?: string;
}

/** @throws ChatApiError `invalid_id` */
export function readPathIds(params: PathParams): PathIds {
  const ids: PathIds = {};
  if (params["chatId"] !== undefined) ids.chatId = requireId(params["chatId"], chatIdPattern);
  if (params["fileId"] !== undefined) ids.fileId = requireId(params["fileId"], fileIdPattern);
  return ids;
}

function requireId(value: string | string[], pattern: RegExp): string {
  if (typeof value === "string" && pattern.test(value)) return value;
  throw new ChatApiError("invalid_id");
}
