import type { Chat } from "../../chat-api/chat.ts";
import { errorRules } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import type { Message } from "../../chat-api/message.ts";
import { hasVisibleText } from "../../chat-api/text.ts";
import type { ChatCalls } from "../../chat-client/calls.ts";
import type { FailureOf } from "../failure.ts";
import type { RememberedChat } from "./chat-list.ts";

export type Summary =
  | { state: "loading" }
  | { state: "gone" }
  /** The summary could not be read. */
  | { state: "failed" }
  /**
   * `chat` is null unless the remembered chat waited for the team or was with it: only then is it read.
   */
  | { state: "known"; chat: Chat | null; topic: string; last: Message | null; hasUnread: boolean };

/** The chat's list of messages begins with the oldest. Of a longer chat the end is unknown. */
const maxPages = 4;

/** Never rejects. */
export async function readSummary(
  client: Pick<ChatCalls, "getChat" | "listMessages">,
  { chatId, awaitsTeam, seenId }: Pick<RememberedChat, "chatId" | "awaitsTeam" | "seenId">,
  signal: AbortSignal,
  failureOf: FailureOf,
): Promise<Summary> {
  try {
    const [chat, { messages, isWhole }] = await Promise.all([
      awaitsTeam ? client.getChat(chatId, { signal }) : null,
      readMessages(client, chatId, signal),
    ]);
    const last = isWhole ? (messages.findLast(({ text }) => hasVisibleText(text)) ?? null) : null;
    const seen = messages.findIndex(({ id }) => id === seenId);
    const hasUnread =
      isWhole && seen >= 0 && messages.some(({ role }, index) => role !== "visitor" && index > seen);
    return { state: "known", chat, topic: topicOf(messages), last, hasUnread };
  } catch (error) {
    return { state: errorRules[failureOf(error).code].ends === "gone" ? "gone" : "failed" };
  }
}

async function readMessages(
  client: Pick<ChatCalls, "listMessages">,
  chatId: string,
  signal: AbortSignal,
): Promise<{ messages: Message[]; isWhole: boolean }> {
  const limit = limits.messagesPerPage.max;
  const messages: Message[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query: { limit: number; cursor?: string } = cursor === null ? { limit } : { limit, cursor };
    const { items, nextCursor } = await client.listMessages(chatId, query, { signal });
    messages.push(...items);
    if (nextCursor === null) return { messages, isWhole: true };
    cursor = nextCursor;
  }
  return { messages, isWhole: false };
}

/**
 * A chat's topic: the customer's first words, else anyone's. A channel may greet before the customer writes.
 */
function topicOf(messages: readonly Pick<Message, "role" | "text">[]): string {
  const spoken = messages.filter(({ text }) => text.trim() !== "");
  return (spoken.find(({ role }) => role === "visitor") ?? spoken[0])?.text ?? "";
}
