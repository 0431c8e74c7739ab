/** Names a conversation before and after its chat exists. */
export interface ConversationRef {
  /** Null until the first message has created the chat. */
  chatId: string | null;
  /** Idempotency key of the chat's creation; not sent while the chat's ID is known. */
  createKey: string;
}

export function isSameConversation(a: ConversationRef, b: ConversationRef): boolean {
  if (a.chatId !== null && b.chatId !== null) return a.chatId === b.chatId;
  return a.createKey === b.createKey;
}

/** The conversation's name in the lock for sending, and in the storage entry of its draft. */
export function conversationName({ chatId, createKey }: ConversationRef): string {
  return chatId ?? createKey;
}
