/**
 * Names for a caller that reveal nothing, not even to somebody who can guess the customer's ID, such as an
 * email address: HMACs with keys derived from `SESSION_SECRET`.
 */
import { createHmac, hkdfSync } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Config } from "../configuration/env.ts";
import type { Session } from "./guest-sessions.ts";

export interface CallerTags {
  /** The tag by which the page compares callers and names the customer's data in the browser's storage. */
  current: string;
  /** The tags under the other secrets while secrets rotate. A page may still send one. */
  former: readonly string[];
  /** Stands for the session in the log, so that the lines of one customer can be correlated. */
  logged: string;
}

const keyBytes = 32;
/** 16 and 8 characters. */
const tagBytes = 12;
const loggedBytes = 6;

export function createCallerTags({ sessionSecrets }: Pick<Config, "sessionSecrets">) {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "caller tags", keyBytes));
  const [secret, ...formerSecrets] = sessionSecrets;
  const key = keyOf(secret);
  const formerKeys = formerSecrets.map(keyOf);
  const tag = (of: Buffer, text: string, bytes: number) =>
    createHmac("sha256", of).update(text).digest().subarray(0, bytes).toString("base64url");
  // A caller's requests come together, and each of their responses has the tag.
  const cache = new LRUCache<string, CallerTags>({ max: 10_000 });
  return ({ userId }: Session): CallerTags => {
    const cached = cache.get(userId);
    if (cached !== undefined) return cached;
    const tags = {
      current: tag(key, `caller\n${userId}`, tagBytes),
      former: formerKeys.map((former) => tag(former, `caller\n${userId}`, tagBytes)),
      logged: tag(key, `log\n${userId}`, loggedBytes),
    };
    cache.set(userId, tags);
    return tags;
  };
}
