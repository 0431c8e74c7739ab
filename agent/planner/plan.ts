import { limits } from "#lib/chat-api/limits.ts";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import type { Answer } from "../answer.ts";
import type { Shop } from "../knowledge/shop.ts";
import {
  joinSentences,
  type Language,
  languageOfLocale,
  languages,
  splitSentences,
} from "../language/languages.ts";
import { listOf, say } from "../language/replies.ts";
import { teamOffer } from "../tools/forms.ts";
import { lastOf, type ToolContext } from "../tools/tool.ts";
import type { Wish } from "../understanding/dialogue.ts";
import { recallDialogue } from "../understanding/recall-dialogue.ts";
import { type Understanding, understand } from "../understanding/understand.ts";
import { answerForm, askWithForm } from "./answer-forms.ts";
import { answerHelp } from "./answer-help.ts";
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
  if (!only) {
    const doubt = answerUnsure(text, unsure, context);
    if (!talk.has("upset")) return doubt;
    return { text: say(language, "upsetOffer"), choices: doubt.choices, offer: {} };
  }
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
    const isRepeated = lastOf("agent", context)?.text === offer;
    return { text: isRepeated ? say(language, "offerStands") : offer, offer: teamOffer(row.offer, context) };
  }
  if (row.unknown) return answerUnknown(text, context);
  if (row.ask) {
    const [ask, choices] = reading.all("mark").includes("price")
      ? ["priceQuestion", "priceChoices"]
      : [row.ask, row.choices ?? "helloChoices"];
    return { text: "", ask: say(language, ask), choices: listOf(language, choices) };
  }
  if (wish.intent === "yes" && lastOf("agent", context)?.handoffOffer)
    return { text: say(language, "offerStands"), offer: {} };
  return {
    text: say(language, row.talk ?? "yesReply", { agentName: shop.agentName }),
    choices: row.choices === undefined ? undefined : listOf(language, row.choices),
  };
}

/** Asks which of several wishes is meant, with the beginning of each one's answer. */
function answerUnsure(text: string, unsure: Understanding["unsure"], context: ToolContext): Answer {
  const { language } = context;
  if (unsure.length === 0) return answerUnknown(text, context);
  const isShown = ({ row, products }: Wish) => row.help !== undefined || products !== null;
  const answers = unsure.map((wish) => {
    const answer: Answer = isShown(wish) ? answerWish(text, wish, context) : { text: "" };
    const [told] = wish.products ? [] : splitSentences(answer.text.split("\n").at(-1) ?? "", language);
    const { citations, products } = answer;
    return { text: told ? `• ${wish.name}: ${told}` : "", citations: citations?.slice(0, 1), products };
  });
  const lines = answers.map((each) => each.text).filter(Boolean);
  return {
    ...mergeAnswers(answers),
    text: "",
    ask: [say(language, "whichMeaning"), ...lines].join("\n"),
    choices: [...unsure.map(({ name }) => name), say(language, "talkToPerson")],
  };
}

/** Offers the team after an unanswerable question, with what the help pages say if they are about it. */
function answerUnknown(text: string, context: ToolContext): Answer {
  const { language, shop } = context;
  const reading = shop.read(text, language);
  const isNonsense = !reading.tokens.some(({ stem }) => shop.intents.isKnown(stem));
  const failures = ["notUnderstood", "notUnderstoodAgain", "unknown"];
  const said = lastOf("agent", context)?.text;
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
