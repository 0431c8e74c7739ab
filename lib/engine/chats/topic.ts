import type { Message } from "../../chat-api/message.ts";

/** A channel may greet before the customer writes, so the first message is not always the topic. */
export const topicMessages = 5;

/** A chat's topic from a page of its messages: the customer's first words, else anyone's. */
export function topicOf(messages: readonly Pick<Message, "role" | "text">[]): string {
  const spoken = messages.filter(({ text }) => text.trim() !== "");
  return (spoken.find(({ role }) => role === "visitor") ?? spoken[0])?.text ?? "";
}
