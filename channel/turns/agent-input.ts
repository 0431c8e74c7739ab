/** Builds the agent's input for a turn. */
import type { AgentTurn } from "../agents/agent.ts";
import { turnLimits } from "../channel-limits.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import { emptyCollection, readCollection } from "../collections/collection-state.ts";
import type { Database } from "../db/database.ts";
import { toMessage } from "../messages/message-row.ts";
import { messagesBefore } from "../messages/message-store.ts";
import type { LoadedTurn } from "./turn-store.ts";

export async function agentInput(
  database: Database,
  { operation, chat, collection, message }: LoadedTurn,
  isStreamed: boolean,
): Promise<AgentTurn> {
  return {
    chatId: chat.id,
    userId: chat.userId,
    locale: chat.locale,
    operationId: operation.id,
    trigger: triggerOf(operation, message),
    history: await readHistory(database, chat, message),
    collection: readCollection(collection ?? emptyCollection),
    isStreamed,
    now: operation.createdAt,
  };
}

async function readHistory({ sql }: Database, chat: ChatRow, message: LoadedTurn["message"]) {
  const position = message?.sequence ?? chat.lastSequence + 1;
  // Nothing precedes a chat's first message.
  if (position === 1) return [];
  const rows = await messagesBefore(sql, chat.id, position, turnLimits.historyMessages);
  return rows.map(toMessage);
}

function triggerOf(operation: LoadedTurn["operation"], message: LoadedTurn["message"]): AgentTurn["trigger"] {
  if (message !== null) return { type: "message", message: toMessage(message) };
  if (operation.trigger !== null) return { type: "form", ...operation.trigger };
  throw new Error(`turn ${operation.id} answers neither a message nor a form`);
}
