import { limits } from "#lib/chat-api/limits.ts";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import type { Answer } from "../answer.ts";
import { splitSentences } from "../knowledge/sentences.ts";
import type { Shop } from "../knowledge/shop.ts";
import {
  joinSentences,
  type Language,
  languageData,
  languageOfLocale,
  languages,
} from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { listOf, say, themeOf } from "../language/replies.ts";
import { teamOffer } from "../tools/offer-team.ts";
import { lastReply, type ToolContext } from "../tools/tool.ts";
import type { Wish } from "../understanding/dialogue.ts";
import { recallDialogue } from "../understanding/recall-dialogue.ts";
import { type Understanding, understand } from "../understanding/understand.ts";
import { answerForm, askWithForm } from "./answer-forms.ts";
import { answerHelp, searchedHelp } from "./answer-help.ts";
import { answerHours } from "./answer-hours.ts";
import { answerOrders } from "./answer-orders.ts";
import { answerProducts } from "./answer-products.ts";
import { type Demonstration, demonstrationOf } from "./demonstration.ts";
import { formatList } from "./format.ts";

export interface Plan extends Demonstration {
  language: Language;
}

/** Decides what to answer, and how. Pure: the same turn gets the same plan. */
export function planTurn(turn: AgentTurn, shop: Shop): Plan {
  const before = recallDialogue(turn.history, languageOfLocale(turn.locale), shop);
  const { trigger } = turn;
  const plan = (answer: Answer, language = before.language): Plan => ({ answer, language });
  if (trigger.type === "form")
    return plan(answerForm(trigger.collectionId, trigger.action, { shop, turn, language: before.language }));
  const { text, files } = trigger.message;
  const tongue = shop.languageOf(text, before.language);
  const language = tongue === "other" ? before.language : tongue;
  const context: ToolContext = { shop, turn, language };
  if (text.trim() === "" && files.length > 0) return plan({ text: say(language, "fileReceived") });
  if (tongue === "other") return plan(answerForeign(language));
  const demonstration = demonstrationOf(text, context);
  if (demonstration) return { ...demonstration, language };
  const answer = answerMessage(text, understand(text, { ...before, language }, shop), context);
  return plan({ ...answer, text: saidOnce(answer.text, language) }, language);
}

/** A text without the sentences that it has said already, such as those of two answers from one section. */
function saidOnce(text: string, language: Language): string {
  const sentences = text.split("\n").map((line) => splitSentences(line, language));
  const said = new Set<string>();
  if (new Set(sentences.flat()).size === sentences.flat().length) return text;
  const isNew = (sentence: string) => !said.has(sentence) && said.add(sentence);
  const lines = sentences.map((each) => joinSentences(each.filter(isNew), language));
  const told = lines.join("\n").replace(/\n{3,}/g, "\n\n");
  return told.trim();
}

/** Tells a customer who writes another language which ones are spoken. */
function answerForeign(language: Language): Answer {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const spoken = languages.map((each) => names.of(each) ?? each);
  return { text: say(language, "languagesSpoken", { languages: formatList(spoken, language) }), offer: {} };
}

function answerMessage(text: string, { wishes, unsure, talk }: Understanding, context: ToolContext): Answer {
  const { language } = context;
  const [only] = wishes;
  if (!only) return answerUnsure(text, unsure, context);
  const answer = mergeAnswers(wishes.map((wish) => answerWish(text, wish, context)));
  const opening = talk.has("greeting") ? "helloFirst" : talk.has("thanks") ? "thanksFirst" : undefined;
  const isOpened = opening !== undefined && answer.text !== "" && only.row.talk === undefined;
  const opened = isOpened ? joinSentences([say(language, opening), answer.text], language) : answer.text;
  if (!talk.has("upset") || answer.offer) return { ...answer, text: opened };
  const sorry = [opened, say(language, "upsetOffer")].filter(Boolean).join("\n\n");
  return { ...answer, text: sorry, offer: {} };
}

const offerReplies = { asked: "personOffer", upset: "upsetOffer", not_helped: "notUnderstoodAgain" } as const;

function answerWish(text: string, wish: Wish, context: ToolContext): Answer {
  const { language, shop } = context;
  const { row, reading, products } = wish;
  if (products) return answerProducts({ ...products, reading }, context);
  if (row.orders) return answerOrders(wish, context);
  // Help pages answer about the hours of holidays and about contact, unless a weekday or a shop is named.
  const names = row.hours === "contact" ? "store" : "day";
  if (row.hours && (!row.help || reading.all(names).length > 0)) return answerHours(wish, context);
  const answers = [
    ...(row.help ? [answerHelp(wish, context)] : []),
    ...(row.form ? [askWithForm(row.form, context)] : []),
  ];
  if (answers.length > 0) return mergeAnswers(answers);
  if (row.offer) {
    const offer = say(language, offerReplies[row.offer]);
    const isRepeated = lastReply(context)?.text === offer;
    return { text: isRepeated ? say(language, "offerStands") : offer, offer: teamOffer(row.offer, context) };
  }
  if (row.unknown) return answerUnknown(text, context);
  if (row.ask)
    return {
      text: "",
      ask: say(language, row.ask),
      choices: listOf(language, row.choices ?? "helloChoices"),
    };
  if (wish.intent === "yes" && lastReply(context)?.handoffOffer)
    return { text: say(language, "offerStands"), offer: {} };
  return {
    text: say(language, row.talk ?? "yesReply", { agentName: shop.agentName }),
    choices: row.choices === undefined ? undefined : listOf(language, row.choices),
  };
}

/** Asks which of several wishes is meant, with the beginning of each one's answer. */
function answerUnsure(text: string, unsure: readonly Wish[], context: ToolContext): Answer {
  const { language } = context;
  const meanings = new Map(unsure.map((wish) => [nameOf(text, wish, context), wish]));
  meanings.delete(undefined);
  if (meanings.size === 0) return answerUnknown(text, context);
  const isShown = ({ row, products }: Wish) => row.help !== undefined || products !== null;
  const answers = Array.from(meanings, ([name, wish]) => {
    const {
      text: whole,
      citations,
      products,
    } = isShown(wish) ? answerWish(text, wish, context) : { text: "" };
    const [told] = wish.products ? [] : splitSentences(whole.split("\n").at(-1) ?? "", language);
    return { text: told ? `• ${name}: ${told}` : "", citations: citations?.slice(0, 1), products };
  });
  const shown = mergeAnswers(answers);
  const lines = answers.map((each) => each.text).filter(Boolean);
  const names = [...meanings.keys()].flatMap((name) => name ?? []);
  return {
    ...shown,
    text: "",
    ask: [say(language, "whichMeaning"), ...lines].join("\n"),
    choices: [...names, say(language, "talkToPerson")],
  };
}

/** The choice to pick for a wish: the heading of a section, the title of a form, goods. */
function nameOf(
  text: string,
  { intent, row }: Wish,
  { language, shop, turn }: ToolContext,
): string | undefined {
  const [section] = row.help ?? [];
  if (section !== undefined) {
    const passage = shop.help.section(section, language);
    return passage.language === language ? shop.cite(passage, turn.now).title : themeOf(intent, language);
  }
  const form = row.orders ? "find-my-order" : row.form;
  if (form !== undefined)
    return shop.forms.find(({ collectionId }) => collectionId === form)?.title[language];
  if (row.hours) return say(language, "hoursName");
  if (!row.products) return undefined;
  return goodsIn(shop.read(text, language)) ?? listOf(language, "helloChoices")[1];
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

/** Offers the team after an unanswerable question, with what the help pages say if they are about it. */
function answerUnknown(text: string, context: ToolContext): Answer {
  const { language, shop } = context;
  const reading = shop.read(text, language);
  const found = searchedHelp(reading, context);
  if (found) return found;
  const isNonsense = !reading.tokens.some(({ stem }) => shop.intents.isKnown(stem));
  const failures = ["notUnderstood", "notUnderstoodAgain", "unknown"];
  const said = lastReply(context)?.text;
  if (isNonsense && !failures.some((key) => say(language, key) === said))
    return { text: say(language, "notUnderstood"), choices: listOf(language, "helloChoices") };
  const failure = say(language, isNonsense ? "notUnderstoodAgain" : "unknown");
  return { text: said === failure ? say(language, "unknownAgain") : failure, offer: {} };
}

/** Combines several answers: joins their texts as paragraphs and their cards up to the limits. */
function mergeAnswers(answers: readonly Answer[]): Answer {
  const [first, ...others] = answers;
  if (!first || others.length === 0) return first ?? { text: "" };
  const merged = <T>(listIn: (answer: Answer) => readonly T[] | undefined, most: number) => {
    const values = answers.flatMap((answer) => listIn(answer) ?? []);
    const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
    return unique.length > 0 ? unique.slice(0, most) : undefined;
  };
  // A question among several answers becomes part of the text: a closing question would replace them all.
  const texts = answers.map((answer) => answer.text || (answer.ask ?? ""));
  return {
    text: texts.filter(Boolean).join("\n\n"),
    citations: merged((answer) => answer.citations, limits.citationsPerMessage),
    products: merged((answer) => answer.products, limits.productsPerMessage),
    orders: merged((answer) => answer.orders, limits.ordersPerMessage),
    choices: answers.find(({ choices }) => choices)?.choices,
    form: answers.find(({ form }) => form)?.form,
    offer: answers.find(({ offer }) => offer)?.offer,
  };
}
