/** Handoff offers (docs/chat-api.md, "HandoffOffer"). */
import { and, eq } from "drizzle-orm";
import type { ChatRow } from "../chats/chat-row.ts";
import type { Sql } from "../db/database.ts";
import { handoffOffers } from "../db/schema.ts";

export type OfferRow = typeof handoffOffers.$inferSelect;

/** The offer, if it is the chat's latest and still valid. */
export async function findValidOffer(
  tx: Sql,
  chat: ChatRow,
  confirmationId: string,
): Promise<OfferRow | undefined> {
  if (chat.mode !== "agent" || chat.latestOfferId !== confirmationId) return undefined;
  const [row] = await tx
    .select()
    .from(handoffOffers)
    .where(and(eq(handoffOffers.confirmationId, confirmationId), eq(handoffOffers.chatId, chat.id)));
  return row;
}
