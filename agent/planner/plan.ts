import { limits } from "#lib/chat-api/limits.ts";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import type { Shop } from "../knowledge/shop.ts";
import { detectLanguage } from "../language/detect-language.ts";
import { type Language, languageOfLocale } from "../language/languages.ts";
import { phrases } from "../replies/by-language.ts";
import { offerTeamTool } from "../tools/offer-team.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Dialogue } from "../understanding/dialogue.ts";
import { recallDialogue } from "../understanding/recall-dialogue.ts";
import type { ShopRequest, TalkKind, Understanding } from "../understanding/requests.ts";
import { understand } from "../understanding/understand.ts";
import type { Answer } from "./answer.ts";
import { answerForm, askWithForm } from "./answer-forms.ts";
import { answerHelp } from "./answer-help.ts";
import { answerHours } from "./answer-hours.ts";
import { answerOrders, answerOrderTopic } from "./answer-orders.ts";
import { answerProducts } from "./answer-products.ts";
import { answerTalk } from "./answer-talk.ts";
import { type Demonstration, demonstrationOf } from "./demonstration.ts";
import { joinSentences } from "./format.ts";

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
  const language = detectLanguage(text, before.language);
  const dialogue: Dialogue = { ...before, language };
  const context: ToolContext = { shop, turn, language };
  if (text.trim() === "" && files.length > 0) {
    return { answer: { text: phrases[language].fileReceived }, manner: {}, language };
  }
  const understanding = understand(text, { dialogue, shop });
  const demonstration = demonstrationOf(understanding.talk, context);
  if (demonstration) return { ...demonstration, language };
  return { answer: answerMessage(understanding, dialogue, context), manner: {}, language };
}

function answerMessage(understanding: Understanding, dialogue: Dialogue, context: ToolContext): Answer {
  const { requests, talk, unknown } = understanding;
  const answers = requests.flatMap((request) => answerRequest(request, unknown, context) ?? []);
  if (answers.length > 0) {
    const answer = withOpening(mergeAnswers(answers), talk, context);
    return understanding.isUpset && !answer.offer ? withTeam(answer, context) : answer;
  }
  const kind = talk.find(isConversational);
  if (kind) return answerTalk(kind, dialogue, context);
  return answerUnknown(understanding, dialogue, context);
}

/** Adds a handoff offer to the answer, for an angry customer. */
function withTeam(answer: Answer, context: ToolContext): Answer {
  const text = [answer.text, phrases[context.language].upsetOffer].filter(Boolean).join("\n\n");
  return { ...answer, text, offer: offerTeamTool.run({ reason: "upset" }, context) };
}

function isConversational(kind: TalkKind): kind is Parameters<typeof answerTalk>[0] {
  return !["long-answer", "slow-answer", "think-minute", "ask-me", "say-nothing"].includes(kind);
}

function answerRequest(
  request: ShopRequest,
  unknown: readonly string[],
  context: ToolContext,
): Answer | null {
  const say = phrases[context.language];
  switch (request.act) {
    case "products":
      return answerProducts(request, context);
    case "help":
      return answerHelp(request, unknown, context);
    case "hours":
      return answerHours(request, context);
    case "orders":
      return answerOrders(request, context);
    case "order-topic":
      return answerOrderTopic(context);
    case "form":
      return askWithForm(request.form, context);
    case "person":
      return { text: say.personOffer, offer: offerTeamTool.run({ reason: "asked" }, context) };
    case "upset":
      return { text: say.upsetOffer, offer: offerTeamTool.run({ reason: "upset" }, context) };
    case "size-question":
      return { text: "", ask: say.sizeQuestion, choices: say.sizeQuestionChoices };
  }
}

/** Offers the team after an unanswerable question. After nonsense, first asks the customer to try again. */
function answerUnknown({ unknown }: Understanding, dialogue: Dialogue, context: ToolContext): Answer {
  const say = phrases[context.language];
  const offer = () => offerTeamTool.run({ reason: "not_helped" }, context);
  const text = context.turn.trigger.type === "message" ? context.turn.trigger.message.text : "";
  const isQuestion = unknown.length < (text.match(/\p{L}+/gu)?.length ?? 0);
  if (isQuestion) return { text: say.unknown, offer: offer() };
  if (dialogue.failures > 0) return { text: say.notUnderstoodAgain, offer: offer() };
  return { text: say.notUnderstood, choices: say.helloChoices };
}

function withOpening(answer: Answer, talk: readonly TalkKind[], { language }: ToolContext): Answer {
  const say = phrases[language];
  const opening = talk.includes("greeting") ? say.helloFirst : talk.includes("thanks") ? say.thanksFirst : "";
  return opening && answer.text
    ? { ...answer, text: joinSentences([opening, answer.text], language) }
    : answer;
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
