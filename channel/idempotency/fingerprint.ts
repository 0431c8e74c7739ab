/** Decides whether two requests with one key have "the same content" (docs/chat-api.md, "Idempotency"). */
import { hash } from "node:crypto";

/**
 * A hash of method, path and content. Key order and white space make no difference; a single different code
 * unit of text does.
 */
export function fingerprint(method: string, path: string, content: unknown): string {
  return hash("sha256", `${method} ${path}\n${canonicalJson(content)}`, "hex");
}

/** JSON with sorted keys. A Map counts as an object, an undefined member as absent. */
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
