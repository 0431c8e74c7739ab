import { randomBytes } from "node:crypto";

/** IDs must be unguessable: with the chat key, an ID is all that it takes to read a resource. */
const randomLength = 16;

export type IdPrefix = "chat" | "msg" | "op" | "file" | "form" | "offer" | "guest" | "req";

/** Matches the patterns of chat and file IDs in the contract. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBytes(randomLength).toString("base64url")}`;
}
