/** File names: sanitises the name of an upload, and encodes it for a download. */
import { encodeExtendedValue, savedFilename } from "#lib/chat-api/file-types.ts";
import type { FileMediaType } from "#lib/chat-api/limits.ts";

/**
 * Maximum length of a stored name in code points, far above the 255 bytes of file systems. The Chat API
 * documents no limit.
 */
const keptLength = 1024;
/**
 * Maximum length of a sent name in code points, each up to 12 bytes when encoded: some proxies allow 4 KiB
 * for all response headers.
 */
const sentLength = 150;
const longestExtension = 16;

/**
 * The given name without folders (RFC 7578, 4.2), control characters and excessive length. If nothing is
 * left, `file` with the type's extension.
 */
export function storableFilename(formName: string, mediaType: FileMediaType): string {
  const name = unescapeFormName(formName)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .replace(/^.*[/\\]/su, "")
    .trim();
  // A name of dots only would be a relative path.
  if (/^\.*$/.test(name)) return savedFilename("file", mediaType);
  return cutKeepingExtension(name, keptLength);
}

/**
 * The `Content-Disposition` of a download (RFC 6266): always an attachment, with the name in UTF-8 (RFC 8187)
 * and, for old clients, in ASCII. Bidi control characters are removed: they make `gpj.exe` read as `exe.jpg`.
 */
export function attachmentDisposition(filename: string): string {
  const directed = filename.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "");
  const name = cutKeepingExtension(directed, sentLength) || "file";
  const ascii = name.replaceAll(/[^ -~]|["\\%]/gu, "_");
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=${encodeExtendedValue(name)}`;
}

/** The HTML standard escapes exactly these three characters in a part's name. */
function unescapeFormName(name: string): string {
  return name.replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%22", '"');
}

function cutKeepingExtension(name: string, length: number): string {
  const characters = [...name];
  if (characters.length <= length) return name;
  const extension = /\.[^.\s]+$/u.exec(name)?.[0] ?? "";
  const suffix = extension.length <= longestExtension ? extension : "";
  return characters.slice(0, length - suffix.length).join("") + suffix;
}
