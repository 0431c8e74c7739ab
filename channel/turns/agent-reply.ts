/** One attempt of the agent: its input, and the reply collected from its events. */
import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import { replyParts } from "#lib/chat-api/message.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";
import type { Agent, AgentEvent, AgentTurn, FormRequest, ReplyPartEvent } from "../agents/agent.ts";
import { turnLimits } from "../channel-limits.ts";
import type { ChatRow } from "../chats/chat-store.ts";
import { emptyCollection, readCollection } from "../collections/collection-state.ts";
import type { Database } from "../db/database.ts";
import type { Attachments } from "../db/schema.ts";
import { messagesBefore, toMessage } from "../messages/message-store.ts";
import { untilAborted } from "../retry.ts";
import type { LoadedTurn } from "./turn-store.ts";

/**
 * Runs the agent and collects its reply; `onText` receives each part as it arrives. Rejects with the signal's
 * reason as soon as it aborts, even if the agent ignores the signal.
 */
export async function askAgent(
  agent: Agent,
  turn: AgentTurn,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ReplyDraft> {
  const draft = new ReplyDraft();
  const events = agent.reply(turn, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await untilAborted(signal, events.next());
      if (next.done === true) return draft;
      const text = draft.take(next.value);
      if (text !== "") onText(text);
    }
  } catch (error) {
    // Not awaited: the agent's own clean-up may never finish.
    void Promise.resolve(events.return?.()).catch(() => undefined);
    throw error;
  }
}

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

const ReplyParts = z.object(replyParts);

export class ReplyDraft {
  /** The form to open when the turn finishes. */
  form: FormRequest | undefined;
  /** The handoff offer to make when the turn finishes. */
  offer: { details?: FormRequest; requiresEmail: boolean } | undefined;
  /** Whether the reply closes the chat. */
  closesChat = false;
  attachments: Attachments = {};
  #streamed = "";
  #question: string | undefined;
  /** The first half of a surrogate pair whose second half has not arrived yet. */
  #half = "";

  /**
   * Takes one event. Returns the text to stream, which is well-formed: half a surrogate pair waits for its
   * other half.
   */
  take(event: AgentEvent): string {
    switch (event.type) {
      case "text":
        return this.#stream(event.text);
      case "ask":
        this.#question = storable(event.text);
        return "";
      case "choices":
        this.attachments.choices = event.choices.filter(canBeSent);
        return "";
      case "request_form":
        this.form = event.form;
        return "";
      case "offer_handoff":
        this.offer = {
          requiresEmail: event.requiresEmail === true,
          ...(event.details === undefined ? {} : { details: event.details }),
        };
        return "";
      case "close_chat":
        this.closesChat = true;
        return "";
      default:
        this.#attach(event);
        return "";
    }
  }

  /** A closing question replaces the streamed text (docs/chat-api.md, "The turn stream"). */
  get text(): string {
    return this.#question ?? this.#streamed;
  }

  #stream(text: string): string {
    const whole = this.#half + text.replaceAll("\u0000", "");
    this.#half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
    const part = whole.slice(0, whole.length - this.#half.length).toWellFormed();
    this.#streamed += part;
    return part;
  }

  /** Sets a list of the reply. The schema truncates lists that are too long. */
  #attach({ type, ...list }: ReplyPartEvent): void {
    const { [type]: items } = ReplyParts.parse(list);
    this.attachments = { ...this.attachments, [type]: items };
  }
}

function storable(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/** A choice is later sent as a message, so it must be a valid message text. */
function canBeSent(choice: string): boolean {
  return hasVisibleText(choice) && choice.length <= limits.messageTextLength && choice.isWellFormed();
}
