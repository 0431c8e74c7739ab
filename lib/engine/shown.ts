/** Names and addresses of others' files and pictures, as they are shown. */
import { hasDrawnText } from "../chat-api/text.ts";
import { safeUrl } from "./text-parts.ts";

/**
 * A file's name without characters that change the text direction: `U+202E gnp.exe` would read `exe.png`.
 * `otherwise` stands in for one of which nothing is seen, because a button needs a name.
 */
export function shownName(filename: string, otherwise: string): string {
  const name = filename.replaceAll(/[\p{Bidi_Control}\p{Cc}]/gu, "");
  return hasDrawnText(name) ? name : otherwise;
}

/**
 * A picture's URL, or null: over https, so that nobody on the network reads or changes it, and from one of
 * `origins` unless that is null; or from our own origin.
 */
export function safePictureUrl(
  address: string | null,
  ownOrigin: string,
  origins: readonly string[] | null = null,
): string | null {
  const url = safeUrl(address);
  if (url === null) return null;
  if (url.origin === ownOrigin) return url.href;
  const isAllowed = url.protocol === "https:" && (origins === null || origins.includes(url.origin));
  return isAllowed ? url.href : null;
}
