/** Gathers what an agent yields into the reply that is stored. */
import { limits } from "#lib/chat-api/limits.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";
import type { AgentEvent, FormRequest } from "../agents/agent.ts";
import type { Attachments } from "../db/documents.ts";

export class ReplyDraft {
  /** A form that the customer is to fill in, opened when the turn is finished. */
  form: FormRequest | undefined;
  /** An offer to pass the chat to the team, made when the turn is finished. */
  offer: { details?: FormRequest } | undefined;
  #streamed = "";
  #question: string | undefined;
  #attachments: Attachments = {};
  /** The first half of a character whose second half has not come yet. */
  #half = "";

  /** The part of the event that is streamed, well-formed: it can be stored and cut anywhere between two deltas. */
  take(event: AgentEvent): string {
    switch (event.type) {
      case "text":
        return this.#stream(event.text);
      case "ask":
        this.#question = storable(event.text);
        return "";
      case "citations":
        this.#attach({ citations: event.citations.slice(0, limits.citationsPerMessage) });
        return "";
      case "products":
        this.#attach({ products: event.products.slice(0, limits.productsPerMessage) });
        return "";
      case "orders":
        this.#attach({ orders: event.orders.slice(0, limits.ordersPerMessage) });
        return "";
      case "choices":
        this.#attach({ choices: event.choices.filter(canBeSent) });
        return "";
      case "request_form":
        this.form = event.form;
        return "";
      case "offer_handoff":
        this.offer = event.details === undefined ? {} : { details: event.details };
        return "";
      default:
        return event satisfies never;
    }
  }

  /** Specification, "Events", rule 1: a question takes the place of what was streamed. */
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

  #attach(attachments: Attachments): void {
    this.#attachments = { ...this.#attachments, ...attachments };
  }
}

function storable(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/** A choice is sent as the next message's text. */
function canBeSent(choice: string): boolean {
  return hasVisibleText(choice) && choice.length <= limits.messageTextLength && choice.isWellFormed();
}
