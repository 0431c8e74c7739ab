import type { Chat } from "../../lib/chat-api/chat.ts";
import type { Message } from "../../lib/chat-api/message.ts";
import type { ChatContextValue } from "./chat-context.ts";

/** The name to show for the teammate who has the chat. A teammate may have no name. */
export function teammateName(chat: Pick<Chat, "teammate"> | null, t: ChatContextValue["t"]): string {
  return chat?.teammate?.name.trim() || t.messages.team;
}

/** The name to show for a message's author. A teammate may have no name. */
export function authorName(
  { role, author }: Pick<Message, "role" | "author">,
  { t, shop }: Pick<ChatContextValue, "t" | "shop">,
): string {
  if (role === "visitor") return t.messages.you;
  if (role === "system") return t.messages.system;
  return author?.name.trim() || (role === "teammate" ? t.messages.team : shop.agentName);
}
