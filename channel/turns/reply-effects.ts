/** A reply's side effects: an opened form, a handoff offer. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { HandoffOffer } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import { closeForm, openForm, readCollection } from "../collections/collection-state.ts";
import { loadCollection, saveCollection } from "../collections/collection-store.ts";
import type { Sql } from "../db/database.ts";
import type { Attachments } from "../db/documents.ts";
import { handoffOffers } from "../db/schema.ts";
import type { TeamHours } from "../db/team-hours.ts";
import { availabilityAt } from "../handoffs/hours.ts";
import { newId } from "../ids.ts";
import type { ReplyDraft } from "./reply-draft.ts";

interface StoredReply {
  messageId: string;
  chat: ChatRow;
  hours: TeamHours | null;
  now: Date;
}

/**
 * Writes the draft's effects in the transaction that stores the reply. Returns all attachments of the reply.
 */
export async function applyEffects(tx: Sql, draft: ReplyDraft, reply: StoredReply): Promise<Attachments> {
  const attachments: Attachments = { ...draft.attachments };
  if (draft.form !== undefined) attachments.collection = await requestForm(tx, reply.chat.id, draft.form);
  if (draft.offer !== undefined) attachments.handoffOffer = await offerHandoff(tx, reply, draft.offer);
  if (draft.closesChat) await closeOpenForm(tx, reply.chat.id);
  return attachments;
}

/** Opens the form. The reply carries the resulting collection. */
async function requestForm(tx: Sql, chatId: string, form: FormRequest): Promise<Collection> {
  const state = openForm(await loadCollection(tx, chatId), form, { requestId: newId("form") });
  await saveCollection(tx, chatId, state);
  return readCollection(state);
}

async function closeOpenForm(tx: Sql, chatId: string): Promise<void> {
  await saveCollection(tx, chatId, closeForm(await loadCollection(tx, chatId)));
}

/** Makes an offer. It becomes the chat's latest when the reply is stored (`finishTurn`). */
async function offerHandoff(
  tx: Sql,
  { messageId, chat, hours, now }: StoredReply,
  offer: NonNullable<ReplyDraft["offer"]>,
): Promise<HandoffOffer> {
  const { nextAvailableAt, timezone, ...available } = availabilityAt(hours, now);
  const requiresEmail = available.requiresEmail || offer.requiresEmail;
  const confirmationId = newId("offer");
  await tx.insert(handoffOffers).values({
    confirmationId,
    chatId: chat.id,
    messageId,
    requiresEmail,
    nextAvailableAt,
    timezone,
    details: offer.details ?? null,
    createdAt: now,
  });
  return {
    confirmationId,
    requiresEmail,
    nextAvailableAt: nextAvailableAt?.toISOString() ?? null,
    timezone,
  };
}
