/** Stores an agent's reply and its effects, and ends the turn. */
import { eq } from "drizzle-orm";
import type { HandoffOffer, MessageTurn } from "#lib/chat-api/message.ts";
import { type ChatRow, lockChat, toChat } from "../chats/chat-store.ts";
import { closeForm } from "../collections/collection-state.ts";
import { loadCollection, requestForm, saveCollection } from "../collections/collection-store.ts";
import type { Core } from "../core.ts";
import { type Sql, withRetries } from "../db/database.ts";
import { type Attachments, chats, type StoredOffer } from "../db/schema.ts";
import type { TeamHours } from "../db/team-hours.ts";
import { availabilityAt } from "../handoffs/hours.ts";
import { newId } from "../ids.ts";
import { nextMessage, toMessage } from "../messages/message-store.ts";
import type { ChannelSettings } from "../settings/settings.ts";
import type { ReplyDraft } from "./agent-reply.ts";
import { type Attempt, finishTurn, type LoadedTurn, loadTurn } from "./turn-store.ts";

interface FinishDeps extends Pick<Core, "database" | "clock"> {
  settings: { current(): Pick<ChannelSettings, "hours"> };
}

/**
 * Stores the reply and ends the turn. Null for a turn that answers a form, because no response contains it.
 * Undefined if the attempt has lost the turn: nothing is written.
 */
export async function finishReply(
  deps: FinishDeps,
  loaded: LoadedTurn,
  attempt: Attempt,
  draft: ReplyDraft,
): Promise<MessageTurn | null | undefined> {
  const { database } = deps;
  const hasEffects = draft.form !== undefined || draft.offer !== undefined || draft.closesChat;
  const store = (read: LoadedTurn) =>
    hasEffects
      ? database
          .transaction(async (tx) => {
            const { channelKey, id: chatId } = read.chat;
            const chat = await lockChat(tx, { channelKey, chatId });
            const stored = await storeReply(deps, tx, { ...read, chat }, attempt, draft);
            if (stored === undefined) throw new TurnLost();
            return stored;
          })
          .catch(unlessLost)
      : withRetries(() => storeReply(deps, database.sql, read, attempt, draft));
  let read: LoadedTurn | undefined = loaded;
  while (read !== undefined) {
    const finished = await store(read);
    if (finished !== undefined) return finished;
    // Either another process has ended the turn, or only the chat has changed.
    read = await loadTurn(database.sql, attempt);
  }
  return undefined;
}

/** Thrown in a transaction whose effects must not be stored, because another attempt has the turn. */
class TurnLost extends Error {}

function unlessLost(error: unknown): undefined {
  if (!(error instanceof TurnLost)) throw error;
}

async function storeReply(
  deps: FinishDeps,
  tx: Sql,
  { operation, chat, message }: LoadedTurn,
  attempt: Attempt,
  draft: ReplyDraft,
): Promise<MessageTurn | null | undefined> {
  const now = deps.clock.now();
  const id = operation.replyId ?? newId("msg");
  const attachments = await applyEffects(tx, draft, chat);
  const offer = draft.offer && handoffOffer(draft.offer, deps.settings.current().hours, now);
  if (offer !== undefined) attachments.handoffOffer = offer.shown;
  const reply = nextMessage(
    chat,
    { id, role: "agent", text: draft.text, attachments, replyOfOperationId: operation.id },
    now,
  );
  const chatAfter: ChatRow = {
    ...chat,
    activeOperationId: null,
    lastSequence: reply.sequence,
    updatedAt: reply.createdAt,
    ...(draft.closesChat ? closed(now) : {}),
  };
  const turn: MessageTurn | null =
    message === null
      ? null
      : { message: toMessage(message), reply: toMessage(reply), chat: toChat(chatAfter) };
  const isStored = await finishTurn(tx, {
    ...attempt,
    chat,
    reply,
    result: turn,
    now,
    offer: offer?.stored,
  });
  if (!isStored) return undefined;
  if (draft.closesChat) await tx.update(chats).set(closed(now)).where(eq(chats.id, chat.id));
  return turn;
}

function closed(now: Date) {
  return { mode: "resolved", resolvedAt: now } as const;
}

/**
 * Writes the draft's effects in the transaction that stores the reply. Returns the reply's attachments,
 * without an offer.
 */
async function applyEffects(tx: Sql, draft: ReplyDraft, chat: ChatRow): Promise<Attachments> {
  const attachments: Attachments = { ...draft.attachments };
  if (draft.form !== undefined) attachments.collection = await requestForm(tx, chat.id, draft.form);
  if (draft.closesChat) await saveCollection(tx, chat.id, closeForm(await loadCollection(tx, chat.id)));
  return attachments;
}

/** An offer, as the customer sees it and as the chat keeps it until it is accepted (`finishTurn`). */
function handoffOffer(
  { details, requiresEmail: wantsEmail }: NonNullable<ReplyDraft["offer"]>,
  hours: TeamHours | null,
  now: Date,
): { shown: HandoffOffer; stored: StoredOffer } {
  const { nextAvailableAt, timezone, ...available } = availabilityAt(hours, now);
  const confirmationId = newId("offer");
  const requiresEmail = available.requiresEmail || wantsEmail;
  const shown = {
    confirmationId,
    requiresEmail,
    nextAvailableAt: nextAvailableAt?.toISOString() ?? null,
    timezone,
  };
  return { shown, stored: { confirmationId, requiresEmail, details: details ?? null } };
}
