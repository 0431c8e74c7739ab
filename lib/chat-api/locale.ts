import { limits } from "./limits.ts";

/**
 * The nearest tag that the Chat API and `Intl` accept for what pages, content management and operating
 * systems call a locale: `de-DE` for `de_DE`, `zh-Hant-TW` for `zh_Hant_TW.UTF-8`, `en` for `C`. Plain
 * JavaScript may pass anything.
 */
export function localeTag(given: unknown): string {
  const [first = ""] = /^[A-Za-z\d-]+/.exec(`${given}`.trim().replaceAll("_", "-")) ?? [];
  for (let tag = first; tag !== ""; tag = tag.replace(/-?[^-]*$/, ""))
    if (tag.length <= limits.localeLength && !/^posix/i.test(tag) && isTag(tag)) return tag;
  return "en";
}

/** `Intl` accepts fewer tags than the Chat API, and throws for the others. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
