import type { Chat } from "../../chat-api/chat.ts";
import { errorRules } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import type { Message } from "../../chat-api/message.ts";
import { hasVisibleText } from "../../chat-api/text.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import type { FailureOf } from "../failure.ts";
import type { RememberedChat } from "./remembered.ts";

export type Summary =
  | { state: "loading" }
  | { state: "gone" }
  /** The summary could not be read. */
  | { state: "failed" }
  /**
   * `chat` is null unless the remembered chat waited for the team or was with it: only then is it read.
   */
  | { state: "known"; chat: Chat | null; topic: string; last: Message | null; hasUnread: boolean };

export interface SummaryDeps {
  client: Pick<ChatClient, "getChat" | "listMessages">;
  reading: { latest(chatId: string, signal: AbortSignal): Promise<{ messages: readonly Message[] }> };
  failureOf: FailureOf;
}

/** Never rejects. */
export async function readSummary(
  { client, reading, failureOf }: SummaryDeps,
  { chatId, awaitsTeam, seenId }: Pick<RememberedChat, "chatId" | "awaitsTeam" | "seenId">,
  signal: AbortSignal,
): Promise<Summary> {
  async function readEnds() {
    const limit = limits.messagesPerPage.max;
    const { items, nextCursor } = await client.listMessages(chatId, { limit }, { signal });
    const latest = nextCursor === null ? items : (await reading.latest(chatId, signal)).messages;
    return { topic: topicOf(items), latest };
  }

  try {
    const [chat, { topic, latest }] = await Promise.all([
      awaitsTeam ? client.getChat(chatId, { signal }) : null,
      readEnds(),
    ]);
    const last = latest.findLast(({ text }) => hasVisibleText(text)) ?? null;
    const seen = latest.findIndex(({ id }) => id === seenId);
    const hasUnread = seen >= 0 && latest.some(({ role }, index) => role !== "visitor" && index > seen);
    return { state: "known", chat, topic, last, hasUnread };
  } catch (error) {
    return { state: errorRules[failureOf(error).code].ends === "gone" ? "gone" : "failed" };
  }
}

/**
 * A chat's topic: the customer's first words, else anyone's. A channel may greet before the customer writes.
 */
function topicOf(messages: readonly Pick<Message, "role" | "text">[]): string {
  const spoken = messages.filter(({ text }) => text.trim() !== "");
  return (spoken.find(({ role }) => role === "visitor") ?? spoken[0])?.text ?? "";
}
