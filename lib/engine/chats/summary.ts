import type { Chat } from "../../chat-api/chat.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import { failureOf } from "../failure.ts";
import type { RememberedChat } from "./chat-list.ts";
import { topicMessages, topicOf } from "./topic.ts";

export type Summary =
  | { state: "loading" }
  | { state: "gone" }
  /** The summary could not be read. */
  | { state: "failed" }
  /**
   * `chat` is null unless the remembered chat waited for the team or was with it: only then is it read.
   */
  | { state: "known"; chat: Chat | null; topic: string };

/** Never rejects. */
export async function readSummary(
  client: Pick<ChatClient, "getChat" | "listMessages">,
  { chatId, awaitsTeam }: Pick<RememberedChat, "chatId" | "awaitsTeam">,
  signal: AbortSignal,
): Promise<Summary> {
  try {
    const [chat, { items }] = await Promise.all([
      awaitsTeam ? client.getChat(chatId, { signal }) : null,
      client.listMessages(chatId, { limit: topicMessages }, { signal }),
    ]);
    return { state: "known", chat, topic: topicOf(items) };
  } catch (error) {
    return { state: failureOf(error).code === "chat_not_found" ? "gone" : "failed" };
  }
}
