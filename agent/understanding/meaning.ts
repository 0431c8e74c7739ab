/** The meanings of a message: a thing that it only names, or the likeliest intents, with names to pick. */
import type { Shop } from "../knowledge/shop.ts";
import { languageData, type SlotType } from "../language/languages.ts";
import type { Mention } from "../language/lexicon.ts";
import type { Reading } from "../language/reading.ts";
import { listOf, say, nameOf as wordFor } from "../language/replies.ts";
import { aboutSection, answerOf, certain, type Ranked } from "../learning/intents.ts";
import { productQueryOf } from "./slots.ts";

/** The properties that tell goods apart, beside their kind and name. */
const ofGoods: readonly SlotType[] = ["good", "name", "brand", "colour", "size"];

/**
 * The things that a message names if it says nothing else: a theme, goods, a section of a help page, or a
 * shop. Several if the name has several meanings.
 */
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

export interface Meaning extends Ranked {
  name: string;
}

/** A third meaning that is less likely than this is not worth a choice. */
const floor = 0.1;

/** The two or three likeliest meanings of different answers. */
export function meaningsOf(ranked: readonly Ranked[], reading: Reading, shop: Shop): Meaning[] {
  const byName = new Map<string, Meaning>();
  const answers = new Set<string>();
  for (const each of ranked) {
    if (byName.size === 3 || (byName.size === 2 && each.confidence < floor)) break;
    const answer = answerOf(each.intent);
    const name = answers.has(answer) ? undefined : nameOf(each, reading, shop);
    if (name === undefined || byName.has(name)) continue;
    answers.add(answer);
    byName.set(name, { ...each, name });
  }
  return [...byName.values()];
}

/** The heading of a section, the title of a form, goods; small talk has no name. */
function nameOf({ row }: Ranked, reading: Reading, shop: Shop): string | undefined {
  const { language } = reading;
  const [section] = row.help ?? [];
  if (section !== undefined) {
    const passage = shop.help.section(section, language);
    return passage.language === language
      ? shop.titleOf(passage)
      : wordFor(language, "pageNames", passage.page.slug);
  }
  const form = row.orders ? "find-my-order" : row.form;
  if (form !== undefined)
    return shop.forms.find(({ collectionId }) => collectionId === form)?.title[language];
  if (row.hours) return say(language, "hoursName");
  return row.products ? (goodsIn(reading) ?? listOf(language, "helloChoices")[1]) : undefined;
}

/** The goods that a text names, in its own words. */
function goodsIn({ mentions, tokens, text, language }: Reading): string | undefined {
  const goods = mentions.filter((each) => /^(?:good|name)$/.test(each.type) && each.within === undefined);
  const [first] = goods.sort((one, other) => other.end - other.start - (one.end - one.start));
  if (!first) return undefined;
  if (languageData[language].space === "") return text.slice(first.start, first.end);
  const words = tokens.slice(first.start, first.end).map(({ written }) => written);
  return words.join(" ");
}
