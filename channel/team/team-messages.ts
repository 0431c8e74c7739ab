/** A teammate's messages and forms in their own chats, and corrections of details in any open chat. */
import { hash } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Collection } from "#lib/chat-api/collection.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Message } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import { type ChatRef, type ChatRow, changeChat, lockChat, requireOpen } from "../chats/chat-store.ts";
import { readCollection } from "../collections/collection-state.ts";
import { loadCollection, requestForm, saveCollection } from "../collections/collection-store.ts";
import { editAsTeammate, type TeammateEdit } from "../collections/submission.ts";
import { messages } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { appendMessage, toMessage } from "../messages/message-store.ts";
import { heldByError, type TeamDeps } from "./team-actions.ts";

export interface TeammateMessage {
  text: string;
  /** The author; by default the chat's teammate. */
  name?: string | undefined;
  /** Idempotency key, so that a double click or a repeated request posts the message once. */
  key?: string | undefined;
}

/**
 * @throws ChatApiError `chat_not_found`, `chat_closed`; `operation_superseded` if the chat is not the
 * teammate's
 */
export async function postMessage(deps: TeamDeps, ref: ChatRef, message: TeammateMessage): Promise<Message> {
  return deps.database.transaction(async (tx) => {
    const chat = await lockChat(tx, ref);
    const id = message.key === undefined ? newId("msg") : keyedMessageId(chat.id, message.key);
    const [posted] = await tx.select().from(messages).where(eq(messages.id, id));
    if (posted !== undefined) return toMessage(posted);
    const authorName = requireTeammate(chat, message.name);
    const draft = { id, role: "teammate" as const, text: message.text, authorName };
    const appended = await appendMessage(tx, chat, draft, deps.clock.now());
    return toMessage(appended.message);
  });
}

/**
 * Opens a form in the teammate's name. Replaces any open form.
 * @throws ChatApiError as `postMessage`
 */
export async function askForDetails(
  deps: TeamDeps,
  ref: ChatRef,
  form: FormRequest,
  name?: string,
): Promise<Message> {
  return deps.database.transaction(async (tx) => {
    const chat = await lockChat(tx, ref);
    const authorName = requireTeammate(chat, name);
    const attachments = { collection: await requestForm(tx, chat.id, form) };
    const draft = { role: "teammate" as const, text: form.purpose, authorName, attachments };
    const appended = await appendMessage(tx, chat, draft, deps.clock.now());
    return toMessage(appended.message);
  });
}

/**
 * Corrects collected details, in any open chat.
 * @throws ChatApiError `chat_not_found`, `chat_closed`, `invalid_request`
 */
export async function editDetails(
  deps: TeamDeps,
  ref: ChatRef,
  edits: readonly TeammateEdit[],
): Promise<Collection> {
  return deps.database.transaction(async (tx) => {
    const chat = await lockChat(tx, ref);
    requireOpen(chat);
    const now = deps.clock.now();
    const state = editAsTeammate(await loadCollection(tx, chat.id), edits, now.toISOString());
    await saveCollection(tx, chat.id, state);
    await changeChat(tx, chat, {}, now);
    return readCollection(state);
  });
}

/** The name of the teammate who acts, who must have the chat. */
function requireTeammate(chat: ChatRow, name: string | undefined): string {
  requireOpen(chat);
  if (chat.mode !== "teammate" || chat.teammateName === null)
    throw new ChatApiError("operation_superseded", {
      message: "The chat is not with a teammate. Claim it first.",
    });
  if (name !== undefined && name !== chat.teammateName) throw heldByError(chat);
  return chat.teammateName;
}

/** The message ID that belongs to this idempotency key. */
function keyedMessageId(chatId: string, key: string): string {
  const digest = hash("sha256", `team message\n${chatId}\n${key}`, "base64url");
  return `msg_${digest.slice(0, 22)}`;
}
