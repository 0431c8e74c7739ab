import type { FeedbackKind } from "../../chat-api/feedback.ts";
import type { FailureCode } from "../failure.ts";
import { isIn } from "./messages.ts";
import type { ConversationAction } from "./reducer.ts";
import { hasForm, modeOf } from "./selectors.ts";
import type { ConversationState } from "./state.ts";

/** An event of the chat for a host's statistics: IDs and codes, never texts, names or addresses. */
export type ChatEvent =
  | { type: "message_sent"; chatId: string; messageId: string }
  | { type: "reply_started"; chatId: string; replyId: string }
  /** `productIds` are the IDs in your catalogue of the products that the reply shows. */
  | { type: "reply_done"; chatId: string; replyId: string; productIds: string[] }
  | { type: "stopped"; chatId: string }
  | {
      type: "form_opened" | "form_submitted" | "form_skipped" | "form_cancelled";
      chatId: string;
      formId: string;
    }
  | { type: "offer_shown"; chatId: string; messageId: string }
  | { type: "team_requested" | "teammate_joined" | "resolved"; chatId: string }
  /** `value` as in `FeedbackBody`; `messageId` is null for a rating of the chat. */
  | { type: "rated"; chatId: string; messageId: string | null; kind: FeedbackKind; value: number }
  /** A message was not sent. */
  | { type: "error"; chatId: string | null; code: FailureCode };

/** The events of one action of this tab. */
export function eventsOf(
  before: ConversationState,
  after: ConversationState,
  action: ConversationAction,
): ChatEvent[] {
  if (action.type === "delivery_changed" && action.delivery.state === "refused")
    return [{ type: "error", chatId: after.chatId, code: action.delivery.failure.code }];
  const { chatId } = after;
  if (chatId === null) return [];
  const events: ChatEvent[] = [];
  if (action.type === "turn_started" && before.reply?.key !== action.key) {
    events.push({ type: "message_sent", chatId, messageId: action.start.messageId });
    if (action.start.replyId !== null)
      events.push({ type: "reply_started", chatId, replyId: action.start.replyId });
  }
  if (action.type === "turn_done" && action.turn.reply !== null) {
    const { id: replyId, products } = action.turn.reply;
    events.push({ type: "reply_done", chatId, replyId, productIds: products.map(({ id }) => id) });
  }
  if (action.type === "stop_showing" && before.reply?.stoppedAt === null)
    events.push({ type: "stopped", chatId });
  if (action.type === "collection_read" && action.ended !== undefined) {
    const { formId, how } = action.ended;
    const ends = { save: "form_submitted", skip: "form_skipped", cancel: "form_cancelled" } as const;
    events.push({ type: ends[how], chatId, formId });
  }
  const formId = after.collection?.request?.id;
  // The first read of a chat that is shown again finds the form that an earlier page has opened.
  const isKnown = action.type === "collection_read" && before.collection === null && hasForm(before);
  if (formId !== undefined && formId !== before.collection?.request?.id && !isKnown)
    events.push({ type: "form_opened", chatId, formId });
  if (action.type === "turn_done" || action.type === "news_read")
    for (const { id, handoffOffer } of after.messages)
      if (handoffOffer !== null && !isIn(before.messages, id))
        events.push({ type: "offer_shown", chatId, messageId: id });
  const [from, to] = [modeOf(before), modeOf(after)];
  if (before.chat !== null && from !== to) {
    if (to === "waiting") events.push({ type: "team_requested", chatId });
    if (to === "teammate") events.push({ type: "teammate_joined", chatId });
    if (to === "resolved") events.push({ type: "resolved", chatId });
  }
  return events;
}
