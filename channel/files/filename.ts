/** Names of files: what is kept of the given one, and how it is sent back (specification, "File", "Download a file"). */
import type { FileMediaType } from "#lib/chat-api/limits.ts";

/** In code points. The specification sets no bound; this is far above what file systems take (255 bytes). */
const keptLength = 1024;
/** In code points, each up to 12 bytes in the header: proxies keep 4 KiB for all of a response's headers. */
const sentLength = 150;
const longestExtension = 16;

const extensions: Record<FileMediaType, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "application/pdf": "pdf",
  "text/plain": "txt",
};

/**
 * The name as it was given, except for what no name should carry: folders (RFC 7578, section 4.2), control characters,
 * and an absurd length. A name of which nothing is left becomes `file` with the type's extension.
 */
export function storableFilename(given: string, mediaType: FileMediaType): string {
  const name = unescapeFormName(given)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .replace(/^.*[/\\]/su, "")
    .trim();
  // Only dots: a place in a folder, not a name.
  if (/^\.*$/.test(name)) return `file.${extensions[mediaType]}`;
  return cutKeepingExtension(name, keptLength);
}

/**
 * The `Content-Disposition` of a download (RFC 6266): always a download, never a page; the name in UTF-8 (RFC 8187)
 * and, for old readers, in ASCII. Characters that turn the writing direction are left out: they make `gpj.exe` read
 * as `exe.jpg` in a download list.
 */
export function attachmentDisposition(filename: string): string {
  const directed = filename.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "");
  const name = cutKeepingExtension(directed, sentLength) || "file";
  const ascii = name.replaceAll(/[^ -~]|["\\%]/gu, "_");
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeExtendedValue(name)}`;
}

/** The HTML standard writes these three so, and no other character, where a form names a part. */
function unescapeFormName(name: string): string {
  return name.replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%22", '"');
}

function encodeExtendedValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function cutKeepingExtension(name: string, length: number): string {
  const characters = [...name];
  if (characters.length <= length) return name;
  const extension = /\.[^.\s]+$/u.exec(name)?.[0] ?? "";
  const kept = extension.length <= longestExtension ? extension : "";
  return characters.slice(0, length - kept.length).join("") + kept;
}
