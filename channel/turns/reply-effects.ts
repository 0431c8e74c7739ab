/** What a reply can bring about beside its text: the engine calls these inside the transaction that stores the reply. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { HandoffOffer } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import type { Sql } from "../db/database.ts";

export interface ReplyEffects {
  /** What is collected in the chat, for the agent to read. */
  readCollection(sql: Sql, chatId: string): Promise<Collection>;
  /** Opens the form, in place of one that is open. The collection as it is then goes out with the reply. */
  openForm(tx: Sql, chat: ChatRow, form: FormRequest, now: Date): Promise<Collection>;
  /** Makes an offer, which from then on is the chat's latest (the engine notes that on the chat's row). */
  offerHandoff(
    tx: Sql,
    chat: ChatRow,
    offer: { messageId: string; details?: FormRequest },
    now: Date,
  ): Promise<HandoffOffer>;
}
