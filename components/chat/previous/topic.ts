import type { Message } from "#lib/chat-api/message.ts";

/** A channel may greet before the customer speaks, so the first of all messages is not enough. */
export const topicMessages = 5;

/** What a chat is about, by a page of its messages: the first words of the customer's, else the first of anyone's. */
export function topicOf(messages: readonly Pick<Message, "role" | "text">[]): string {
  const spoken = messages.filter(({ text }) => text.trim() !== "");
  return (spoken.find(({ role }) => role === "visitor") ?? spoken[0])?.text ?? "";
}
