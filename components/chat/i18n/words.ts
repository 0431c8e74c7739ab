import { builtInLanguages, defaultLanguage } from "./built-in.ts";
import type { Language, StringOverrides, Strings } from "./language.ts";
import { loadTexts } from "./languages.ts";

/** The chat's words with those of the shop. What an added language lacks is the default language's. */
export async function completed(
  language: Language,
  texts: Strings,
  overrides: StringOverrides | undefined,
): Promise<Strings> {
  const isOwn = Object.values<Language>(builtInLanguages).some((own) => own.texts === language.texts);
  const whole = isOwn ? texts : replaceTexts(await loadTexts(builtInLanguages[defaultLanguage]), texts);
  return replaceTexts(whole, overrides);
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
