/** Makes file names safe: customers choose them, other people see them, and headers contain them. */
import { encodeExtendedValue } from "../../chat-api/file-types.ts";
import { decodedUri, hasDrawnText, isStorableText } from "../../chat-api/text.ts";

const maxLength = 200;
const maxExtensionLength = 20;

/**
 * Path separators, characters that Windows forbids, line and control characters, and characters that change
 * the text direction.
 */
const unsafe = /[/\\:*?"<>|\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * A name that is safe to store, show and save: one line, no path, never empty or invisible. Deterministic, so
 * that a repeated upload is the same request.
 */
export function safeFilename(name: string): string {
  const text = isStorableText(name) ? name : name.toWellFormed().replaceAll("\u0000", "_");
  const safe = shorten(trimEdges(text.normalize("NFC").replaceAll(unsafe, "_")));
  return hasDrawnText(safe) ? safe : "file";
}

/**
 * Trims blanks and dots with a loop, because a regular expression anchored at the end takes quadratic time.
 */
function trimEdges(name: string): string {
  const isEdge = (at: number) => /[\s.]/u.test(name.charAt(at));
  let [start, end] = [0, name.length];
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return name.slice(start, end);
}

function shorten(name: string): string {
  if (name.length <= maxLength) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= maxExtensionLength ? name.slice(dot) : "";
  // Truncating may split a surrogate pair.
  const stem = name
    .slice(0, maxLength - extension.length)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  return stem + extension;
}

/** A `Content-Disposition` value (RFC 6266): plain ASCII for old clients, UTF-8 (RFC 8187) for all others. */
export function contentDisposition(kind: "inline" | "attachment", filename: string): string {
  const name = safeFilename(filename);
  const plain = name.replaceAll(/[^\x20-\x7e]|%/g, "_");
  return `${kind}; filename="${plain}"; filename*=${encodeExtendedValue(name)}`;
}

/** The file name of a `Content-Disposition` value; undefined if it cannot be read. */
export function filenameOf(disposition: string | null): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(disposition ?? "")?.[1];
  if (extended !== undefined) return decodedUri(extended);
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition ?? "")?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, "$1");
  return /;\s*filename\s*=\s*([^\s;"]+)/i.exec(disposition ?? "")?.[1];
}
