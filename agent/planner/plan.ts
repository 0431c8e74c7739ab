import { limits } from "#lib/chat-api/limits.ts";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import type { Shop } from "../knowledge/shop.ts";
import { type Language, languageOfLocale, languages } from "../language/languages.ts";
import { listOf, say } from "../language/replies.ts";
import type { Ranked } from "../learning/intents.ts";
import { offerTeamTool } from "../tools/offer-team.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Dialogue, Wish } from "../understanding/dialogue.ts";
import { recallDialogue } from "../understanding/recall-dialogue.ts";
import { type Understanding, understand } from "../understanding/understand.ts";
import type { Answer } from "./answer.ts";
import { answerForm, askWithForm } from "./answer-forms.ts";
import { answerHelp, citeSection, searchedHelp } from "./answer-help.ts";
import { answerHours } from "./answer-hours.ts";
import { answerOrders } from "./answer-orders.ts";
import { answerProducts } from "./answer-products.ts";
import { type Demonstration, demonstrationOf } from "./demonstration.ts";
import { formatList, joinSentences } from "./format.ts";

export interface Plan extends Demonstration {
  language: Language;
}

/** Decides what to answer, and how. Pure: the same turn gets the same plan. */
export function planTurn(turn: AgentTurn, shop: Shop): Plan {
  const before = recallDialogue(turn.history, languageOfLocale(turn.locale), shop);
  const { trigger } = turn;
  if (trigger.type === "form") {
    const { language } = before;
    const answer = answerForm(trigger.collectionId, trigger.action, { shop, turn, language });
    return { answer, manner: {}, language };
  }
  const { text, files } = trigger.message;
  const tongue = shop.intents.languageOf(text, before.language);
  const language = tongue === "other" ? before.language : tongue;
  const context: ToolContext = { shop, turn, language };
  if (text.trim() === "" && files.length > 0)
    return { answer: { text: say(language, "fileReceived") }, manner: {}, language };
  if (tongue === "other") return { answer: answerForeign(context), manner: {}, language };
  const demonstration = demonstrationOf(text, context);
  if (demonstration) return { ...demonstration, language };
  const dialogue: Dialogue = { ...before, language };
  const answer = answerMessage(understand(text, dialogue, shop), dialogue, context);
  return { answer, manner: {}, language };
}

/** Tells a customer who writes another language which ones are spoken. */
function answerForeign(context: ToolContext): Answer {
  const { language } = context;
  const names = new Intl.DisplayNames(language, { type: "language" });
  const spoken = formatList(
    languages.map((each) => names.of(each) ?? each),
    language,
  );
  return {
    text: say(language, "languagesSpoken", { languages: spoken }),
    offer: offerTeamTool.run({ reason: "not_helped" }, context),
  };
}

function answerMessage(understanding: Understanding, dialogue: Dialogue, context: ToolContext): Answer {
  const { wishes, unsure, talk } = understanding;
  const [only] = wishes;
  if (!only)
    return unsure.length > 0 ? answerUnsure(unsure, dialogue, context) : answerUnknown(dialogue, context);
  const answer = mergeAnswers(wishes.map((wish) => answerWish(wish, dialogue, context)));
  if (unsure.length > 0) return withDoubt(answer, unsure.slice(1), context);
  const opened = only.row.talk === undefined ? withOpening(answer, talk, context) : answer;
  return understanding.isUpset && !opened.offer ? withTeam(opened, context) : opened;
}

/** Adds a handoff offer to the answer, for an angry customer. */
function withTeam(answer: Answer, context: ToolContext): Answer {
  const text = [answer.text, say(context.language, "upsetOffer")].filter(Boolean).join("\n\n");
  return { ...answer, text, offer: offerTeamTool.run({ reason: "upset" }, context) };
}

const offerReplies = { asked: "personOffer", upset: "upsetOffer", not_helped: "notUnderstoodAgain" } as const;

function answerWish(wish: Wish, dialogue: Dialogue, context: ToolContext): Answer {
  const { language, shop } = context;
  const { row } = wish;
  if (wish.products) return answerProducts({ ...wish.products, reading: wish.reading }, context);
  if (row.orders) return answerOrders(wish, context);
  if (row.hours && (!row.help || wish.reading.all("store").length > 0)) return answerHours(wish, context);
  if (row.help)
    return row.form ? withForm(answerHelp(wish, context), row.form, context) : answerHelp(wish, context);
  if (row.form) return askWithForm(row.form, context);
  if (row.offer)
    return {
      text: say(language, offerReplies[row.offer]),
      offer: offerTeamTool.run({ reason: row.offer }, context),
    };
  if (row.unknown) return answerUnknown(dialogue, context);
  if (wish.intent === "yes" && dialogue.offered) return { text: say(language, "offerStands"), offer: {} };
  const text = say(language, row.talk ?? "yesReply", { agentName: shop.data.agentName });
  return row.choices ? { text, choices: listOf(language, row.choices) } : { text };
}

/** A help answer with the form that looks at the customer's own case. */
function withForm(answer: Answer, form: string, context: ToolContext): Answer {
  const asked = askWithForm(form, context);
  return { ...asked, ...answer, text: [answer.text, asked.text].join("\n\n") };
}

/** A likely answer, said to be one, with what else may be meant. */
function withDoubt(answer: Answer, others: readonly Ranked[], context: ToolContext): Answer {
  const { language } = context;
  if (answer.ask !== undefined || answer.offer) return answer;
  const names = [...new Set(others.flatMap((ranked) => nameOfIntent(ranked, context) ?? []))].slice(0, 2);
  return {
    ...answer,
    text: joinSentences([say(language, "perhapsMeant"), answer.text], language),
    choices: answer.choices ?? [...names, say(language, "talkToPerson")],
  };
}

/** Asks which of the two likeliest meanings is right. */
function answerUnsure(unsure: readonly Ranked[], dialogue: Dialogue, context: ToolContext): Answer {
  const names = [...new Set(unsure.flatMap((ranked) => nameOfIntent(ranked, context) ?? []))].slice(0, 2);
  if (names.length === 0) return answerUnknown(dialogue, context);
  return {
    text: "",
    ask: say(context.language, "whichMeaning"),
    choices: [...names, say(context.language, "talkToPerson")],
  };
}

/** What a customer would pick to mean this: the heading of the section, the title of the form, a wish. */
function nameOfIntent({ row }: Ranked, context: ToolContext): string | undefined {
  const { language, shop } = context;
  const [section] = row.help ?? [];
  if (section !== undefined) {
    const { passage } = citeSection(section, context);
    return passage.section.heading === null || passage.language !== language
      ? passage.page.title
      : `${passage.page.title}: ${passage.section.heading}`;
  }
  const form = row.orders ? "find-my-order" : row.form;
  if (form !== undefined)
    return shop.data.forms.find(({ collectionId }) => collectionId === form)?.title[language];
  if (row.hours) return say(language, "hoursName");
  return row.products ? listOf(language, "helloChoices")[1] : undefined;
}

/** Offers the team after an unanswerable question, with what the help pages say if they are about it. */
function answerUnknown(dialogue: Dialogue, context: ToolContext): Answer {
  const { language, shop, turn } = context;
  const text = turn.trigger.type === "message" ? turn.trigger.message.text : "";
  const reading = shop.read(text, language);
  const found = searchedHelp({ reading, before: null, about: null }, context);
  if (found) return found;
  const offer = offerTeamTool.run({ reason: "not_helped" }, context);
  const isNonsense = !reading.tokens.some(({ stem }) => shop.intents.isKnown(stem));
  if (!isNonsense) return { text: say(language, "unknown"), offer };
  if (dialogue.failures > 0) return { text: say(language, "notUnderstoodAgain"), offer };
  return { text: say(language, "notUnderstood"), choices: listOf(language, "helloChoices") };
}

function withOpening(answer: Answer, talk: ReadonlySet<string>, { language }: ToolContext): Answer {
  const opening = talk.has("greeting") ? "helloFirst" : talk.has("thanks") ? "thanksFirst" : undefined;
  if (opening === undefined || !answer.text) return answer;
  return { ...answer, text: joinSentences([say(language, opening), answer.text], language) };
}
/** Combines several answers: joins their texts as paragraphs and their cards up to the limits. */
function mergeAnswers(answers: readonly Answer[]): Answer {
  const [first, ...others] = answers;
  if (!first || others.length === 0) return first ?? { text: "" };
  const unique = <T>(
    lists: readonly (readonly T[] | undefined)[],
    key: (value: T) => string,
    limit: number,
  ): T[] => {
    const byKey = new Map(
      lists.flatMap((list) => list ?? []).map((value): [string, T] => [key(value), value]),
    );
    return [...byKey.values()].slice(0, limit);
  };
  const citations = unique(
    answers.map((answer) => answer.citations),
    (citation) => citation.url ?? citation.title,
    limits.citationsPerMessage,
  );
  const products = unique(
    answers.map((answer) => answer.products),
    (product) => product.id,
    limits.productsPerMessage,
  );
  const orders = unique(
    answers.map((answer) => answer.orders),
    (order) => order.reference,
    limits.ordersPerMessage,
  );
  const form = answers.find((answer) => answer.form)?.form;
  const offer = answers.find((answer) => answer.offer)?.offer;
  const choices = answers.find((answer) => answer.choices)?.choices;
  return {
    // A question among several answers becomes part of the text: a closing question would replace them all.
    text: answers
      .map((answer) => answer.text || (answer.ask ?? ""))
      .filter(Boolean)
      .join("\n\n"),
    ...(citations.length > 0 ? { citations } : {}),
    ...(products.length > 0 ? { products } : {}),
    ...(orders.length > 0 ? { orders } : {}),
    ...(choices ? { choices } : {}),
    ...(form ? { form } : {}),
    ...(offer ? { offer } : {}),
  };
}
