import { builtInLanguages, defaultLanguage } from "./built-in.ts";
import type { Language, StringOverrides, Strings } from "./language.ts";

/** The language's texts with those of the shop. What an added language lacks is the default language's. */
export async function customTexts(
  { texts }: Language,
  loaded: Strings,
  overrides: StringOverrides | undefined,
): Promise<Strings> {
  const isOurs = Object.values<Language>(builtInLanguages).some((own) => own.texts === texts);
  const standard = isOurs ? loaded : (await builtInLanguages[defaultLanguage].texts()).default;
  return replaceTexts(replaceTexts(standard, loaded), overrides);
}

/**
 * The texts, replaced by those of `other` at the same paths. Ignores values that are not strings and unknown
 * paths, because a JSON file of the shop may hold anything.
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
