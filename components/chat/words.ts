import { type LazyParts, lazyParts } from "./controls/lazy-parts.tsx";
import type { FirstStrings, LoadableLanguage, StringOverrides, Strings } from "./i18n/language.ts";

export interface Words {
  /** The texts of the first opening. */
  t: FirstStrings;
  /** These and the others. */
  allTexts: LazyParts<Strings>;
}

/** @param texts The language's own, loaded. */
export async function wordsOf(
  language: LoadableLanguage,
  texts: FirstStrings,
  overrides: StringOverrides | undefined,
): Promise<Words> {
  const { t, later } =
    language.later === undefined || overrides !== undefined
      ? await (await import("./i18n/custom-texts.ts")).customTexts(language, texts, overrides)
      : { t: texts, later: language.later };
  return { t, allTexts: lazyParts(async () => ({ ...t, ...(await later()) })) };
}
