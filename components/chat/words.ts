import { type LazyParts, lazyParts } from "./controls/load-on-use.ts";
import type { FirstStrings, LoadedTexts, StringOverrides, Strings } from "./i18n/language.ts";

export interface Words {
  /** The texts of the first opening. */
  t: FirstStrings;
  /** These and the others. */
  allTexts: LazyParts<Strings>;
}

/** @param texts The language's own. */
export async function wordsOf(texts: LoadedTexts, overrides?: StringOverrides): Promise<Words> {
  const { default: t, later } =
    texts.later === undefined || overrides !== undefined
      ? await (await import("./i18n/custom-texts.ts")).customTexts(texts, overrides)
      : { ...texts, later: texts.later };
  return { t, allTexts: lazyParts(async () => ({ ...t, ...(await later()) })) };
}
