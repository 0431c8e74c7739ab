import { builtInLanguages, defaultLanguage } from "./built-in.ts";
import type { FirstStrings, LoadableLanguage, StringOverrides } from "./language.ts";
import { loadTexts } from "./languages.ts";

/** The chat's texts with those of the shop. What an added language lacks is the default language's. */
export async function customTexts(
  { later }: LoadableLanguage,
  texts: FirstStrings,
  overrides: StringOverrides | undefined,
) {
  const standard = builtInLanguages[defaultLanguage];
  const first = later === undefined ? replaceTexts(await loadTexts(standard), texts) : texts;
  return {
    t: replaceTexts(first, overrides),
    async later() {
      const whole = later === undefined ? replaceTexts(await standard.later(), texts) : await later();
      return replaceTexts(whole, overrides);
    },
  };
}

/**
 * The texts with those of `other` in their places. Ignores what is no text or has no place, because a JSON
 * file of the shop may hold anything.
 */
function replaceTexts<Of extends object>(texts: Of, other: unknown): Of {
  if (typeof other !== "object" || other === null) return texts;
  const given = new Map<string, unknown>(Object.entries(other));
  const replaced = Object.entries(texts).map(([name, text]) => {
    const wanted = given.get(name);
    if (typeof text === "string") return [name, typeof wanted === "string" ? wanted : text];
    return [name, replaceTexts(text, wanted)];
  });
  const isPlural = "other" in texts;
  const categories = isPlural ? [...given].filter(([, text]) => typeof text === "string") : [];
  return Object.fromEntries([...replaced, ...categories]);
}
