/**
 * The things that a message names if it says nothing else: a theme, goods, a section of a help page, or a
 * shop.
 */
import type { Shop } from "../knowledge/shop.ts";
import { languageData, type SlotType } from "../language/languages.ts";
import type { Mention } from "../language/lexicon.ts";
import type { Reading } from "../language/reading.ts";
import { aboutSection, certain, type Ranked } from "../learning/intents.ts";
import { productQueryOf } from "./slots.ts";

/** The properties that tell goods apart, beside their kind and name. */
const ofGoods: readonly SlotType[] = ["good", "name", "brand", "colour", "size"];

/** Several meanings if the name has several. */
export function namedBy(reading: Reading, shop: Shop): Ranked[] {
  const { tokens, mentions, language, text } = reading;
  const isByLetters = languageData[language].space === "";
  const isIn = ({ start, end }: Mention, index: number) => {
    const place = isByLetters ? (tokens[index]?.at ?? 0) : index;
    return start <= place && place < end;
  };
  const coveredBy = (some: readonly Mention[]) => (index: number) => some.some((each) => isIn(each, index));
  const isFiller = coveredBy(mentions.filter(({ type }) => type === "filler"));
  const filled = [...tokens.keys()];
  const words = filled.filter((index) => !isFiller(index));
  // "Hi" adds nothing to a question, and is a greeting by itself.
  const telling = words.length > 0 ? words : filled;
  // "About" and "the" alone are no name, and "the" is part of one.
  const whole = (type: SlotType) => {
    const isWhole = (each: Mention) => each.type === type && telling.every((index) => isIn(each, index));
    return [...new Set(mentions.filter(isWhole).map(({ key }) => key))];
  };
  if (telling.length === 0 || /\p{N}{3}/u.test(text)) return [];
  const themes = whole("theme").map(certain);
  if (themes.length > 0) return themes;
  const query = productQueryOf(reading, shop);
  const isOption = ({ key }: Mention) =>
    (key === "size" && query.sizes) || (key === "colour" && query.colours);
  const isGoods = coveredBy(mentions.filter((each) => ofGoods.includes(each.type) || isOption(each)));
  // The letter of a size is no mention: "rain jacket size L".
  const isSize = (index: number) => query.sizes?.includes(tokens[index]?.word.toUpperCase() ?? "");
  if (telling.every((index) => isGoods(index) || isSize(index)) && !telling.every(isSize)) {
    const isKind = (kind: string) => shop.catalogue.some(({ kinds }) => kinds.has(kind));
    const isSold = query.ids ?? query.brand ?? query.traits ?? query.kinds?.some(isKind);
    if (isSold) return [certain("product-search")];
    if (query.kinds) return [certain("not-sold")];
  }
  return whole("store").length > 0 ? [certain("shop-address")] : whole("section").map(aboutSection);
}
