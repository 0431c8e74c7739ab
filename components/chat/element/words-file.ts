import { builtInLanguages, defaultLanguage } from "../i18n/built-in.ts";
import type { Languages, LauncherStrings, StringOverrides } from "../i18n/language.ts";

/** Values of the element's properties of these names. */
export interface Words {
  strings?: StringOverrides;
  languages?: Languages;
}

/** The element has its own words after this time, in milliseconds. */
const patience = 5_000;

/**
 * Reads the JSON file of `strings-src`, `{ "strings": …, "languages": … }`, from the page's origin.
 * @throws TypeError if it is elsewhere or not JSON
 */
export async function readWordsFile(src: string): Promise<Words> {
  const url = new URL(src, document.baseURI);
  if (url.origin !== window.location.origin) throw new TypeError(`strings-src: ${url} is another origin`);
  // The mode refuses a redirect to another origin, too.
  const response = await fetch(url, { mode: "same-origin", signal: AbortSignal.timeout(patience) });
  if (!response.ok) throw new TypeError(`strings-src: ${url} answered ${response.status}`);
  return wordsOf(await response.json(), (problem) => reportError(new TypeError(`strings-src: ${problem}`)));
}

/**
 * Returns the usable parts of the file, and reports the others: a language needs launcher and texts. The chat
 * checks the single texts of `strings` and `texts` when it loads (`custom-texts.ts`).
 */
export function wordsOf(file: unknown, report: (problem: string) => void): Words {
  const parts = (value: unknown, path: string) => {
    if (typeof value === "object" && value !== null) return new Map<string, unknown>(Object.entries(value));
    report(`${path} is no object`);
    return new Map<string, unknown>();
  };
  const launcher = (value: unknown, path: string): Partial<LauncherStrings> => {
    const texts = [...parts(value, path)].filter(([name, text]) => {
      const isText = typeof text === "string";
      if (!isText) report(`${path}.${name} is no text`);
      return isText;
    });
    return Object.fromEntries(texts);
  };

  const all = parts(file, "the file");
  const strings = parts(all.get("strings") ?? {}, "strings");
  if (strings.has("launcher")) strings.set("launcher", launcher(strings.get("launcher"), "launcher"));
  const languages = [...parts(all.get("languages") ?? {}, "languages")].flatMap(([tag, value]) => {
    const language = parts(value, tag);
    const missing = ["launcher", "texts"].find((part) => !language.get(part));
    if (missing !== undefined) {
      report(`${tag} has no ${missing}`);
      return [];
    }
    const own = builtInLanguages[defaultLanguage].launcher;
    language.set("launcher", { ...own, ...launcher(language.get("launcher"), `${tag}.launcher`) });
    return [[tag, Object.fromEntries(language)]];
  });
  return { strings: Object.fromEntries(strings), languages: Object.fromEntries(languages) };
}
