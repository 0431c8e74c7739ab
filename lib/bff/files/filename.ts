/** File names: written by customers, shown to others, put into headers. */
import { isStorableText } from "#lib/chat-api/text.ts";

const maxLength = 200;
const maxExtensionLength = 20;

/** Path separators, what Windows forbids, control characters, and marks that change the direction of what follows. */
const unsafe = /[/\\:*?"<>|\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A name that is safe to store, to show and to save under: one line, no path, never empty. The same name always gives
 * the same one, so that a repeated upload is the same request.
 */
export function safeFilename(name: string): string {
  const text = isStorableText(name) ? name : name.toWellFormed().replaceAll("\u0000", "_");
  const tidy = text
    .normalize("NFC")
    .replaceAll(unsafe, "_")
    .replace(/^[\s.]+|[\s.]+$/gu, "");
  return shorten(tidy) || "file";
}

function shorten(name: string): string {
  if (name.length <= maxLength) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= maxExtensionLength ? name.slice(dot) : "";
  // Cutting may split a character of two code units in the middle.
  const stem = name
    .slice(0, maxLength - extension.length)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  return stem + extension;
}

/** A `Content-Disposition` value (RFC 6266): plain ASCII for old readers, UTF-8 (RFC 8187) for all others. */
export function contentDisposition(kind: "inline" | "attachment", filename: string): string {
  const name = safeFilename(filename);
  const plain = name.replaceAll(/[^\x20-\x7e]|%/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The file name of a `Content-Disposition` value, or undefined where it has none that can be read. */
export function filenameOf(disposition: string | null): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(disposition ?? "")?.[1];
  if (extended !== undefined) return decode(extended);
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition ?? "")?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, "$1");
  return /;\s*filename\s*=\s*([^\s;"]+)/i.exec(disposition ?? "")?.[1];
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
