import type { Languages, StringOverrides } from "../i18n/language.ts";

/** What the element's properties of these names take. */
export interface Words {
  strings?: StringOverrides;
  languages?: Languages;
}

/** The element appears without its own words after this time, in milliseconds. */
const patience = 5_000;

/**
 * Reads the JSON file of `strings-src`, `{ "strings": …, "languages": … }`, from the page's origin.
 * @throws TypeError if it is elsewhere, not JSON, or holds a language without direction, launcher and texts
 */
export async function readWordsFile(src: string): Promise<Words> {
  const url = new URL(src, document.baseURI);
  if (url.origin !== window.location.origin) throw new TypeError(`strings-src: ${url} is another origin`);
  const response = await fetch(url, { signal: AbortSignal.timeout(patience) });
  if (!response.ok) throw new TypeError(`strings-src: ${url} answered ${response.status}`);
  const words: Words = await response.json();
  for (const [tag, language] of Object.entries(words.languages ?? {}))
    for (const part of ["direction", "launcher", "texts"] as const)
      if (!language?.[part]) throw new TypeError(`strings-src: ${tag} has no ${part}`);
  return words;
}
