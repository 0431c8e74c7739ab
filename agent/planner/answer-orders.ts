import { limits } from "#lib/chat-api/limits.ts";
import type { Order } from "#lib/chat-api/message.ts";
import type { Answer } from "../answer.ts";
import { referencesIn } from "../language/figures.ts";
import { joinSentences } from "../language/languages.ts";
import { say } from "../language/replies.ts";
import { formRequest } from "../tools/forms.ts";
import { lookUpOrders } from "../tools/look-up-orders.ts";
import { answersOf, lastOf, type ToolContext } from "../tools/tool.ts";
import type { Wish } from "../understanding/dialogue.ts";

/** How many open orders are shown at once. With more, the agent asks which one is meant. */
const openOrdersShown = 4;

export function answerOrders(wish: Wish, context: ToolContext): Answer {
  const { language } = context;
  const references = referencesIn(wish.reading.text);
  const [reference] = references;
  if (reference !== undefined) {
    const found = references.flatMap((each) => lookUpOrders({ reference: each }, context).orders);
    return found.length > 0
      ? showOrders(found, context)
      : askForOrder(say(language, "orderNotYours", { reference }), context);
  }
  const own = lookUpOrders({}, context);
  if (own.missing) return askForOrder(say(language, "find-my-orderOpened"), context);
  const wanted = ordersMeant(own.orders, wish, context);
  if (wanted.length === 0) return askForOrder(say(language, "ordersNone"), context);
  if (wish.row.orders === "all") return showOrders(wanted, context);
  // The next question is often about one of them.
  const choices = wanted.length > 1 ? wanted.slice(0, 5).map((order) => order.reference) : undefined;
  if (wanted.length <= openOrdersShown) return { ...showOrders(wanted, context), choices };
  return { text: "", ask: say(language, "orderWhich"), choices };
}

/** The answer to the saved form for finding an order. */
export function answerFoundOrder(context: ToolContext): Answer {
  const { language, turn } = context;
  const given = answersOf(turn);
  const reference = given.get("order_reference") ?? "";
  const { orders } = lookUpOrders({ reference, email: given.get("email") }, context);
  if (orders.length > 0) return showOrders(orders, context);
  const notFound = say(language, "orderNotFound");
  if (lastOf("agent", context)?.text.startsWith(notFound))
    return { text: say(language, "orderNotFoundAgain"), offer: {} };
  return askForOrder(notFound, context);
}

/**
 * The orders of the thing or kind that is asked for, and of them those that are not complete, or the
 * latest.
 */
function ordersMeant(
  orders: readonly Order[],
  { reading, row }: Wish,
  { shop }: ToolContext,
): readonly Order[] {
  if (row.orders === "all") return orders;
  const goods = reading.all("good").filter((good) => good !== "bike" && good !== "part");
  const ofThing = orders.filter(({ servicedItem, items }) =>
    [servicedItem ?? "", ...items.map(({ description }) => description)].some((text) =>
      shop.read(text, "en").mentions.some(({ type, key }) => type === "good" && goods.includes(key)),
    ),
  );
  const ofKind = orders.filter(({ kind }) => row.orders !== "workshop" || kind === "workshop");
  const meant = ofThing.length > 0 ? ofThing : ofKind;
  const open = meant.filter((order) => !order.complete);
  return open.length > 0 ? open : meant.slice(0, 1);
}

/** The cards show the facts: of several orders, the text only says how many. */
function showOrders(orders: readonly Order[], { language }: ToolContext): Answer {
  const shown = orders.slice(0, limits.ordersPerMessage);
  const [only, ...others] = orders;
  if (only && others.length === 0) {
    const { reference, status, dueLabel } = only;
    const due = dueLabel === null ? "" : say(language, "orderDue", { due: dueLabel });
    return { text: say(language, "orderStatus", { reference, status, due }), orders: shown };
  }
  const more = orders.length - shown.length;
  const found = say(language, "ordersFound", { count: orders.length });
  const rest = more > 0 ? say(language, "ordersMore", { shown: shown.length, more }) : "";
  return { text: joinSentences([found, rest], language), orders: shown };
}

function askForOrder(text: string, context: ToolContext): Answer {
  return { text, form: formRequest("find-my-order", context) };
}
