import { randomBytes } from "node:crypto";

/** IDs cannot be guessed: an ID is all that a caller needs to read what it names. */
const randomLength = 16;

export type IdPrefix = "chat" | "msg" | "op" | "file" | "form" | "offer" | "handoff" | "guest" | "req";

/** Fits the specification's patterns of chat and file IDs. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBytes(randomLength).toString("base64url")}`;
}
