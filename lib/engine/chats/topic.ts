import type { Message } from "../../chat-api/message.ts";

/**
 * A chat's topic: the customer's first words, else anyone's. A channel may greet before the customer writes.
 */
export function topicOf(messages: readonly Pick<Message, "role" | "text">[]): string {
  const spoken = messages.filter(({ text }) => text.trim() !== "");
  return (spoken.find(({ role }) => role === "visitor") ?? spoken[0])?.text ?? "";
}
