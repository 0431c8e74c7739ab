/** What makes two requests with one key "the same content" (specification, "General rules", 5). */
import { createHash } from "node:crypto";

/**
 * A hash of the operation's method and path and of what was asked. Two bodies that differ in key order, white space or a
 * default that is written out are the same; text that differs in a single code unit is not.
 */
export function fingerprint(method: string, path: string, content: unknown): string {
  return createHash("sha256")
    .update(`${method} ${path}\n${canonicalJson(content)}`)
    .digest("hex");
}

/** JSON with sorted keys. A Map reads as an object; a member that is undefined as absent. */
export function canonicalJson(value: unknown): string {
  if (value instanceof Map) return canonicalEntries([...value]);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalEntries(Object.entries(value));
  return JSON.stringify(value) ?? "null";
}

function canonicalEntries(entries: readonly (readonly [string, unknown])[]): string {
  const members = entries
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
