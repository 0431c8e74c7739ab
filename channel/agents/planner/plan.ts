import type { AgentTurn } from "../agent.ts";
import type { Shop } from "../knowledge/shop.ts";
import { detectLanguage } from "../language/detect-language.ts";
import { type Language, languageOfLocale } from "../language/languages.ts";
import { phrases } from "../replies/by-language.ts";
import { findProductsTool } from "../tools/find-products.ts";
import { searchHelpTool } from "../tools/search-help.ts";
import type { ToolContext } from "../tools/tool.ts";
import { isEmptyQuery, productQueryOf } from "../understanding/product-query.ts";
import { readText } from "../understanding/reading.ts";
import type { Answer } from "./answer.ts";

/** Decides what to answer to a turn. Pure: the same turn brings the same answer. */
export function planAnswer(turn: AgentTurn, shop: Shop): { answer: Answer; language: Language } {
  const text = turn.trigger.type === "message" ? turn.trigger.message.text : "";
  const language = detectLanguage(text, expectedLanguage(turn));
  const context: ToolContext = { shop, turn, language };
  const reading = readText(text, language, shop.vocabulary);
  const say = phrases[language];
  const query = productQueryOf(reading, shop);
  const help = searchHelpTool.run({ question: text }, context);
  const asksOfShop = reading.mentions.some(({ concept }) => concept === "delivery" || concept === "return");
  const asksToBuy = reading.unknown.length === 0 || reading.has("have") > 0;
  if (!isEmptyQuery(query) && !asksOfShop && asksToBuy) return { answer: answerWithProducts(), language };
  const best = help[0];
  if (best) {
    const introduction = best.passage.language === language ? "" : `${say.quoteIntroduction}\n`;
    const near = help.filter((finding) => finding.score > best.score * 0.6).slice(0, 3);
    const citations = near.map((finding) => finding.citation);
    return { answer: { text: introduction + best.text, citations }, language };
  }
  if (reading.has("greeting")) {
    return { answer: { text: say.hello(shop.data.agentName), choices: say.helloChoices }, language };
  }
  if (reading.has("thanks")) return { answer: { text: say.thanksReply }, language };
  if (reading.has("goodbye")) return { answer: { text: say.goodbyeReply }, language };
  return { answer: { text: say.unknown, offer: {} }, language };

  function answerWithProducts(): Answer {
    const { items } = findProductsTool.run(query, context);
    const products = items.slice(0, 3).map((item) => item.card);
    if (items.length === 0) return { text: say.productsNone };
    const more = items.length > products.length;
    return {
      text: more ? say.productsSome(products.length, items.length) : say.productsAll(items.length),
      products,
    };
  }
}

/** The language of the customer's last message, or else of the chat. */
function expectedLanguage(turn: AgentTurn): Language {
  const last = turn.history.findLast((message) => message.role === "visitor" && message.text.trim() !== "");
  const ofChat = languageOfLocale(turn.locale);
  return last ? detectLanguage(last.text, ofChat) : ofChat;
}
