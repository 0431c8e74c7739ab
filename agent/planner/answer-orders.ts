import { limits } from "#lib/chat-api/limits.ts";
import type { Order } from "#lib/chat-api/order.ts";
import { findConcepts } from "../language/concept-lexicon.ts";
import { tokenise } from "../language/tokens.ts";
import { phrases } from "../replies/by-language.ts";
import { askForDetailsTool } from "../tools/ask-for-details.ts";
import { lookUpOrdersTool } from "../tools/look-up-orders.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { OrdersRequest } from "../understanding/requests.ts";
import type { Answer } from "./answer.ts";

/** How many open orders are shown at once. With more, the agent asks which one is meant. */
const openOrdersShown = 4;

export function answerOrders(request: OrdersRequest, context: ToolContext): Answer {
  const say = phrases[context.language];
  const [reference] = request.references;
  if (reference !== undefined) {
    const found = request.references.flatMap((each) => {
      const finding = lookUpOrdersTool.run({ reference: each }, context);
      return finding.kind === "found" ? finding.orders : [];
    });
    return found.length > 0 ? showOrders(found, context) : askForOrder(say.orderNotYours(reference), context);
  }
  const own = lookUpOrdersTool.run({}, context);
  if (own.kind !== "found") return askForOrder(null, context);
  const wanted = ordersMeant(own.orders, request);
  if (wanted.length === 0) return askForOrder(say.ordersNone, context);
  if (!request.all && wanted.length > openOrdersShown) return askWhich(wanted, context);
  return showOrders(wanted, context);
}

/**
 * Answers a message that mentions orders without a question: the customer picks one of their orders or, if
 * there are none, a topic.
 */
export function answerOrderTopic(context: ToolContext): Answer {
  const say = phrases[context.language];
  const own = lookUpOrdersTool.run({}, context);
  if (own.kind === "found" && own.orders.length > 0) return askWhich(own.orders, context);
  return { text: "", ask: say.orderTopic, choices: say.orderTopicChoices };
}

/** The answer to the saved form for finding an order. */
export function answerFoundOrder(context: ToolContext): Answer {
  const say = phrases[context.language];
  const answerOf = (fieldId: string) =>
    context.turn.collection.values.find((value) => value.fieldId === fieldId && value.status === "accepted")
      ?.value ?? "";
  const finding = lookUpOrdersTool.run(
    { reference: answerOf("order_reference"), email: answerOf("email") },
    context,
  );
  if (finding.kind === "found") return showOrders(finding.orders, context);
  const before = context.turn.history.findLast((message) => message.role === "agent" && message.text !== "");
  const again = context.turn.history.some(
    (message) => message.role === "agent" && message.text.startsWith(say.orderNotFound),
  );
  if (again && before) return { text: say.orderNotFoundAgain, offer: {} };
  return askForOrder(say.orderNotFound, context);
}

function ordersMeant(orders: readonly Order[], { kinds, workshop, all }: OrdersRequest): readonly Order[] {
  if (all) return orders;
  const ofThing = orders.filter((order) => kinds.some((kind) => mentionsKind(order, kind)));
  if (kinds.length > 0 && ofThing.length > 0) return openOrLatest(ofThing);
  if (workshop) return openOrLatest(orders.filter((order) => order.kind === "workshop"));
  return openOrLatest(orders);
}

/** The orders that are not complete; if there are none, the latest order. */
function openOrLatest(orders: readonly Order[]): readonly Order[] {
  const open = orders.filter((order) => !order.complete);
  return open.length > 0 ? open : orders.slice(0, 1);
}

function mentionsKind(order: Order, kind: string): boolean {
  const texts = [order.servicedItem ?? "", ...order.items.map((item) => item.description)];
  return texts.some((text) =>
    findConcepts(text, tokenise(text, "en"), "en").some(({ concept }) => concept === kind),
  );
}

function showOrders(orders: readonly Order[], { language }: ToolContext): Answer {
  const say = phrases[language];
  const shown = orders.slice(0, limits.ordersPerMessage);
  const lines = shown.map((order) => {
    const due = order.dueLabel === null ? "" : `, ${say.orderDue(order.dueLabel)}`;
    const line = `${say.orderStatus(order.reference, order.status)}${due}${language === "ja" ? "。" : "."}`;
    return shown.length === 1 ? line : `• ${line}`;
  });
  const more = orders.length > shown.length ? say.ordersMore(shown.length, orders.length - shown.length) : "";
  return { text: [say.ordersFound(orders.length), ...lines, more].filter(Boolean).join("\n"), orders: shown };
}

function askWhich(orders: readonly Order[], { language }: ToolContext): Answer {
  const open = orders.filter((order) => !order.complete);
  const choices = (open.length > 0 ? open : orders).slice(0, 5).map((order) => order.reference);
  return { text: "", ask: phrases[language].orderWhich, choices };
}

function askForOrder(reason: string | null, context: ToolContext): Answer {
  const form = askForDetailsTool.run({ form: "find-my-order" }, context);
  const text = reason ?? form?.purpose ?? "";
  return form ? { text, form } : { text };
}
