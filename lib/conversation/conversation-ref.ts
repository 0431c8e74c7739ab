/** Names a conversation before and after its chat exists. */
export interface ConversationRef {
  /** Null until the first message has created the chat. */
  chatId: string | null;
  /** Idempotency key of the chat's creation; never used in a conversation opened by its chat's ID. */
  createKey: string;
}

export function isSameConversation(a: ConversationRef, b: ConversationRef): boolean {
  if (a.chatId !== null && b.chatId !== null) return a.chatId === b.chatId;
  return a.createKey === b.createKey;
}

/** Lock name by which tabs elect the one that sends and polls. */
export function conversationName({ chatId, createKey }: ConversationRef): string {
  return chatId ?? createKey;
}
