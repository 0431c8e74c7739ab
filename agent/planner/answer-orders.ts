import { limits } from "#lib/chat-api/limits.ts";
import type { Order } from "#lib/chat-api/order.ts";
import { findMentions } from "../language/lexicon.ts";
import { listOf, say } from "../language/replies.ts";
import { tokenise } from "../language/tokens.ts";
import { askForDetailsTool } from "../tools/ask-for-details.ts";
import { lookUpOrdersTool } from "../tools/look-up-orders.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Wish } from "../understanding/dialogue.ts";
import { referencesIn } from "../understanding/slots.ts";
import type { Answer } from "./answer.ts";

/** How many open orders are shown at once. With more, the agent asks which one is meant. */
const openOrdersShown = 4;

export function answerOrders(wish: Wish, context: ToolContext): Answer {
  const { language } = context;
  const references = referencesIn(wish.reading.text);
  const [reference] = references;
  if (reference !== undefined) {
    const found = references.flatMap((each) => {
      const finding = lookUpOrdersTool.run({ reference: each }, context);
      return finding.kind === "found" ? finding.orders : [];
    });
    return found.length > 0
      ? showOrders(found, context)
      : askForOrder(say(language, "orderNotYours", { reference }), context);
  }
  const own = lookUpOrdersTool.run({}, context);
  if (wish.row.orders === "topic") {
    if (own.kind === "found" && own.orders.length > 0) return askWhich(own.orders, context);
    return { text: "", ask: say(language, "orderTopic"), choices: listOf(language, "orderTopicChoices") };
  }
  if (own.kind !== "found") return askForOrder(say(language, "find-my-orderOpened"), context);
  const wanted = ordersMeant(own.orders, wish);
  if (wanted.length === 0) return askForOrder(say(language, "ordersNone"), context);
  const all = wish.row.orders === "all";
  return !all && wanted.length > openOrdersShown ? askWhich(wanted, context) : showOrders(wanted, context);
}

/** The answer to the saved form for finding an order. */
export function answerFoundOrder(context: ToolContext): Answer {
  const { language, turn } = context;
  const answerOf = (fieldId: string) =>
    turn.collection.values.find((value) => value.fieldId === fieldId && value.status === "accepted")?.value ??
    "";
  const finding = lookUpOrdersTool.run(
    { reference: answerOf("order_reference"), email: answerOf("email") },
    context,
  );
  if (finding.kind === "found") return showOrders(finding.orders, context);
  const again = turn.history.some(
    (message) => message.role === "agent" && message.text.startsWith(say(language, "orderNotFound")),
  );
  if (again) return { text: say(language, "orderNotFoundAgain"), offer: {} };
  return askForOrder(say(language, "orderNotFound"), context);
}

function ordersMeant(orders: readonly Order[], { reading, row }: Wish): readonly Order[] {
  if (row.orders === "all") return orders;
  const goods = reading.all("good").filter((good) => good !== "bike" && good !== "part");
  const ofThing = orders.filter((order) => goods.some((good) => mentionsGood(order, good)));
  if (ofThing.length > 0) return openOrLatest(ofThing);
  if (row.orders === "workshop") return openOrLatest(orders.filter((order) => order.kind === "workshop"));
  return openOrLatest(orders);
}

/** The orders that are not complete; if there are none, the latest order. */
function openOrLatest(orders: readonly Order[]): readonly Order[] {
  const open = orders.filter((order) => !order.complete);
  return open.length > 0 ? open : orders.slice(0, 1);
}

function mentionsGood(order: Order, good: string): boolean {
  const texts = [order.servicedItem ?? "", ...order.items.map((item) => item.description)];
  return texts.some((text) =>
    findMentions(text, tokenise(text, "en"), "en").some(({ type, key }) => type === "good" && key === good),
  );
}

function showOrders(orders: readonly Order[], { language }: ToolContext): Answer {
  const shown = orders.slice(0, limits.ordersPerMessage);
  const lines = shown.map(({ reference, status, dueLabel }) => {
    const due = dueLabel === null ? "" : `, ${say(language, "orderDue", { due: dueLabel })}`;
    const line = `${say(language, "orderStatus", { reference, status })}${due}${language === "ja" ? "。" : "."}`;
    return shown.length === 1 ? line : `• ${line}`;
  });
  const hidden = orders.length - shown.length;
  const more = hidden > 0 ? say(language, "ordersMore", { shown: shown.length, more: hidden }) : "";
  const found =
    orders.length === 1
      ? say(language, "ordersFoundOne")
      : say(language, "ordersFound", { count: orders.length });
  return { text: [found, ...lines, more].filter(Boolean).join("\n"), orders: shown };
}

function askWhich(orders: readonly Order[], { language }: ToolContext): Answer {
  const open = orders.filter((order) => !order.complete);
  const choices = (open.length > 0 ? open : orders).slice(0, 5).map((order) => order.reference);
  return { text: "", ask: say(language, "orderWhich"), choices };
}

function askForOrder(text: string, context: ToolContext): Answer {
  const form = askForDetailsTool.run({ form: "find-my-order" }, context);
  return form ? { text, form } : { text };
}
