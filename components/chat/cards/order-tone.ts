import type { Order } from "../../../lib/chat-api/order.ts";

export type OrderTone = "done" | "open" | "halted";

/**
 * Parts of words for "cancelled" and "delayed". The Chat API has no field for them, only the shop's own
 * wording.
 */
const halted =
  /cancel|delay|stornier|verspät|verzöger|annul|retard|ملغ|إلغاء|أُلغ|تأخ|متأخر|キャンセル|取り?消|遅延|遅れ/iu;

/**
 * How an order stands, for its colour and icon. They only repeat what the status says, so that a wording that
 * is not recognised is no loss.
 */
export function orderTone({ status, complete }: Pick<Order, "status" | "complete">): OrderTone {
  if (halted.test(status.normalize("NFC"))) return "halted";
  return complete ? "done" : "open";
}
