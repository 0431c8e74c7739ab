import { ChatApiError } from "../../chat-api/errors.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import type { Remembered } from "../chats/remembered.ts";
import type { ConversationRef } from "../conversation-ref.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { newChatName } from "../storage-names.ts";

export interface NewChatDeps extends Pick<OwnerParts, "storage" | "outbox" | "pauses" | "publish"> {
  client: Pick<ChatClient, "createChat">;
  remembered: Pick<Remembered, "adopt" | "current">;
}

/** Milliseconds until another tab's writes have arrived. */
const writesArrive = 1_000;

/** Creates the chat of a conversation, for its first message as for its first file. Returns the chat's ID. */
export async function newChat(
  deps: NewChatDeps,
  conversation: ConversationRef,
  locale: string,
): Promise<string> {
  const { client, storage, outbox, remembered, pauses, publish } = deps;
  const { createKey } = conversation;
  const known = takeKnown(deps, createKey);
  if (known !== null) return known;
  // Stored beside its key, because the server accepts no other request under it.
  const name = newChatName(createKey);
  const ofMessage = outbox.all().find((waiting) => waiting.createKey === createKey)?.locale;
  const first = storage.read(name) ?? ofMessage ?? locale;
  storage.write(name, first);
  try {
    const { item } = await client.createChat({ locale: first }, { idempotencyKey: createKey });
    // A page that learns of another customer may ask for it once more.
    outbox.chatCreated(createKey, { chatId: item.id, locale: first });
    remembered.adopt(conversation, item);
    storage.write(name, null);
    publish(conversation, { type: "chat_created", chat: item });
    return item.id;
  } catch (error) {
    if (!(error instanceof ChatApiError && error.code === "idempotency_conflict")) throw error;
    await pauses.sleep(writesArrive, "time");
    const others = takeKnown(deps, createKey);
    if (others === null) throw error;
    return others;
  }
}

/**
 * The chat that was created under this key, by any tab and perhaps in another language. A tab that could not
 * store for a while may have named it in a message alone, and after a sign-in the key leads to another chat.
 */
export function knownChat(
  { outbox, remembered }: { outbox: Pick<OutboxStore, "all">; remembered: Pick<Remembered, "current"> },
  createKey: string,
): string | null {
  const named = [...outbox.all(), remembered.current()];
  return named.find((one) => one?.createKey === createKey && one.chatId !== null)?.chatId ?? null;
}

/** Sends what waits for this chat to the known one. */
function takeKnown(deps: NewChatDeps, createKey: string): string | null {
  const chatId = knownChat(deps, createKey);
  if (chatId !== null) deps.outbox.chatCreated(createKey, { chatId });
  return chatId;
}

/** The same key in each tab: two tabs that renew it at once create one chat. */
function keyAfter(createKey: string): string {
  const [first, count = "1"] = createKey.split(".");
  return `${first}.${Number(count) + 1}`;
}

/** Gives a new key to a conversation whose key leads to no usable chat. */
export function renewCreateKey(
  { outbox, publish }: Pick<NewChatDeps, "outbox" | "publish">,
  conversation: ConversationRef,
  isGone = false,
): void {
  const createKey = keyAfter(conversation.createKey);
  for (const waiting of outbox.all())
    if (waiting.createKey === conversation.createKey) outbox.update(waiting.key, { createKey, chatId: null });
  publish(conversation, { type: "restarted", createKey, isGone });
}
