/** Collects an agent's events into the reply to store. */
import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import { replyParts } from "#lib/chat-api/message.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";
import type { AgentEvent, FormRequest, ReplyPartEvent } from "../agents/agent.ts";
import type { Attachments } from "../db/documents.ts";

const ReplyParts = z.object(replyParts);

export class ReplyDraft {
  /** The form to open when the turn finishes. */
  form: FormRequest | undefined;
  /** The handoff offer to make when the turn finishes. */
  offer: { details?: FormRequest; requiresEmail: boolean } | undefined;
  /** Whether the reply closes the chat. */
  closesChat = false;
  #streamed = "";
  #question: string | undefined;
  #attachments: Attachments = {};
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
        this.#attachments.choices = event.choices.filter(canBeSent);
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

  get attachments(): Attachments {
    return this.#attachments;
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
    this.#attachments = { ...this.#attachments, [type]: items };
  }
}

function storable(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/** A choice is later sent as a message, so it must be a valid message text. */
function canBeSent(choice: string): boolean {
  return hasVisibleText(choice) && choice.length <= limits.messageTextLength && choice.isWellFormed();
}
