/** What the agent is told of a turn. */
import type { AgentTurn } from "../agents/agent.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { turnLimits } from "../limits.ts";
import { toMessage } from "../messages/message-row.ts";
import { messagesBefore } from "../messages/message-store.ts";
import type { ReplyEffects } from "./reply-effects.ts";
import type { LoadedTurn } from "./turn-store.ts";

export async function agentInput(
  deps: { database: Database; effects: ReplyEffects; clock: Clock },
  { operation, chat, message }: LoadedTurn,
): Promise<AgentTurn> {
  const { sql } = deps.database;
  const position = message?.sequence ?? chat.lastSequence + 1;
  // The first message of a chat has nothing before it.
  const history =
    position === 1 ? [] : await messagesBefore(sql, chat.id, position, turnLimits.historyMessages);
  return {
    chatId: chat.id,
    userId: chat.userId,
    locale: chat.locale,
    operationId: operation.id,
    trigger: triggerOf(operation, message),
    history: history.map(toMessage),
    collection: await deps.effects.readCollection(sql, chat.id),
    now: deps.clock.now(),
  };
}

function triggerOf(operation: LoadedTurn["operation"], message: LoadedTurn["message"]): AgentTurn["trigger"] {
  if (message !== null) return { type: "message", message: toMessage(message) };
  if (operation.trigger !== null) return { type: "form", ...operation.trigger };
  throw new Error(`turn ${operation.id} answers neither a message nor a form`);
}
