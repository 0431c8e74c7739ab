/** Checks the chat key and the team key by comparing hashes in constant time. */
import { hash, timingSafeEqual } from "node:crypto";
import { ChatApiError } from "#lib/chat-api/errors.ts";

export interface Credential {
  isKey(key: string): boolean;
  /** @throws ChatApiError `invalid_api_key` unless the header carries the key as a bearer token. */
  require(authorization: string | null, message?: string): void;
}

/** A credential that can be rotated. In this process, the old key stops working at once. */
export interface RotatingCredential extends Credential {
  rotate(key: string): void;
}

export function credential(key: string): RotatingCredential {
  let expected = digest(key);
  const isKey = (candidate: string) => timingSafeEqual(digest(candidate), expected);
  return {
    isKey,
    rotate(next) {
      expected = digest(next);
    },
    require(authorization, message) {
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
      if (token === undefined || !isKey(token)) throw new ChatApiError("invalid_api_key", { message });
    },
  };
}

function digest(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
