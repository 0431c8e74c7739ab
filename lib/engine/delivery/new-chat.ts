import type { ChatCalls } from "../../chat-client/calls.ts";
import type { Remembered } from "../chats/remembered.ts";
import type { ConversationRef } from "../conversation-ref.ts";
import { newKey } from "../new-key.ts";
import type { RoomParts } from "../room-parts.ts";
import { newChatName } from "../storage-names.ts";

export interface NewChatDeps extends Pick<RoomParts, "storage" | "outbox" | "publish"> {
  client: Pick<ChatCalls, "createChat">;
  remembered: Pick<Remembered, "adopt" | "current">;
}

/** Creates the chat of a conversation, for its first message as for its first file. Returns the chat's ID. */
export async function newChat(
  { client, storage, outbox, remembered, publish }: NewChatDeps,
  conversation: ConversationRef,
  locale: string,
): Promise<string> {
  const { createKey } = conversation;
  const current = remembered.current();
  // Another tab's message, pressed before that tab saw the chat. It may ask for another language.
  if (current?.createKey === createKey && current.chatId !== null) {
    outbox.chatCreated(createKey, current.chatId);
    return current.chatId;
  }
  // Stored beside its key, because the server accepts no other request under it.
  const name = newChatName(createKey);
  const first = storage.read(name) ?? locale;
  storage.write(name, first);
  const { item } = await client.createChat({ locale: first }, { idempotencyKey: createKey });
  outbox.chatCreated(createKey, item.id);
  remembered.adopt(conversation, item);
  storage.write(name, null);
  publish(conversation, { type: "chat_created", chat: item });
  return item.id;
}

/** Gives a new key to a conversation whose key leads to no usable chat. */
export function renewCreateKey(
  { outbox, publish }: Pick<NewChatDeps, "outbox" | "publish">,
  conversation: ConversationRef,
  isGone = false,
): void {
  const createKey = newKey();
  for (const waiting of outbox.all())
    if (waiting.createKey === conversation.createKey) outbox.update(waiting.key, { createKey, chatId: null });
  publish(conversation, { type: "restarted", createKey, isGone });
}
