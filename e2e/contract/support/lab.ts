/** The channel's test switches, `/lab` and `/team`, for states that a caller cannot cause. */
import type { Form, FormField } from "./forms.ts";
import type { Hours } from "./hours.ts";
import { type Answer, send } from "./http.ts";
import type { Chat } from "./shapes.ts";
import type { OperationName } from "./specification.ts";
import type { Target } from "./target.ts";

export interface Fault {
  operation: OperationName;
  fault: "error" | "drop" | "stall" | "delay";
  code?: string;
  afterDeltas?: number;
  milliseconds?: number;
  times?: number;
}

export interface Limits {
  chatsPerChannel?: number | null;
  operationsPerChat?: number | null;
  requestsPerMinute?: number | null;
  concurrentTurns?: number | null;
}

/** A script for the agent's next reply. */
export interface ScriptedReply {
  text: string;
  deltas?: readonly string[];
  delayMs?: number;
  /** The reply stops after so many deltas until `continueReply`. */
  holdsAfter?: number;
  citations?: readonly object[];
  products?: readonly object[];
  orders?: readonly object[];
  choices?: readonly string[];
  /** The form in the reply. */
  collection?: Form;
  /** A handoff offer; `details` is the form that must be complete before the handoff. */
  handoffOffer?: { details?: Form };
  /** The agent fails after its deltas, in every attempt. */
  fails?: boolean;
}

/** An imported chat. */
export interface ImportedChat {
  userId: string;
  historyComplete?: boolean;
  messages?: readonly { role: string; text: string; createdAt: string | null; author?: string }[];
  collection?: {
    fields: readonly FormField[];
    values: readonly { fieldId: string; value: string | null; status: string; actor?: string }[];
    error?: string | null;
  };
}

/** More than these tests reach. */
const roomyRequestsPerMinute = 1_000_000;

export class Lab {
  readonly #target: Target;
  readonly #teamKey: string;

  constructor(target: Target, teamKey: string) {
    this.#target = target;
    this.#teamKey = teamKey;
  }

  async #ask(method: string, path: string, json?: object): Promise<Answer> {
    const answer = await send({
      method,
      base: this.#target.base,
      path,
      headers: {
        Authorization: `Bearer ${this.#teamKey}`,
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: json === undefined ? undefined : JSON.stringify(json),
      timeoutMilliseconds: 30_000,
    });
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} ${JSON.stringify(json)}: ${answer.status} ${answer.text}`);
    }
    return answer;
  }

  /** Moves the channel's clock and returns its time. */
  async advance(seconds: number): Promise<Date> {
    const answer = await this.#ask("POST", "/lab/clock", { advanceSeconds: seconds });
    return new Date((JSON.parse(answer.text) as { now: string }).now);
  }

  now(): Promise<Date> {
    return this.advance(0);
  }

  async channel(state: { published?: boolean; suspended?: boolean }): Promise<void> {
    await this.#ask("POST", "/lab/channel", state);
  }

  async limits(limits: Limits): Promise<void> {
    await this.#ask("POST", "/lab/limits", limits);
  }

  async fault(fault: Fault): Promise<void> {
    await this.#ask("POST", "/lab/faults", fault);
  }

  async clearFaults(): Promise<void> {
    await this.#ask("DELETE", "/lab/faults");
  }

  async deleteChat(chatId: string): Promise<void> {
    await this.#ask("DELETE", `/lab/chats/${chatId}`);
  }

  async reply(chatId: string, reply: ScriptedReply): Promise<void> {
    await this.#ask("POST", "/lab/reply", { chatId, reply });
  }

  /** Continues a held reply to its end. */
  async continueReply(chatId: string): Promise<void> {
    await this.#ask("POST", "/lab/reply/continue", { chatId });
  }

  askForForm(chatId: string, collection: Form): Promise<void> {
    return this.reply(chatId, { text: "Please fill this in.", collection });
  }

  offerHandoff(chatId: string, details?: Form): Promise<void> {
    const handoffOffer = details === undefined ? {} : { details };
    return this.reply(chatId, { text: "Shall I pass you on?", handoffOffer });
  }

  async importChat(chat: ImportedChat): Promise<Chat> {
    const answer = await this.#ask("POST", "/lab/chats", chat);
    return (JSON.parse(answer.text) as { item: Chat }).item;
  }

  async fileReady(fileId: string, ready: boolean): Promise<void> {
    await this.#ask("POST", `/lab/files/${fileId}`, { ready });
  }

  async expireCursors(): Promise<void> {
    await this.#ask("POST", "/lab/cursors/expire", {});
  }

  /** Replaces the channel's chat key. */
  async rotateChatKey(chatKey: string): Promise<void> {
    await this.#ask("POST", "/lab/chat-key", { chatKey });
  }

  async editDetails(
    chatId: string,
    values: readonly { fieldId: string; value: string | null; status: string }[],
  ): Promise<void> {
    await this.#ask("POST", `/team/chats/${chatId}/details`, { values });
  }

  async claim(chatId: string, name: string): Promise<void> {
    await this.#ask("POST", `/team/chats/${chatId}/claim`, { name });
  }

  async teamMessage(chatId: string, text: string): Promise<void> {
    await this.#ask("POST", `/team/chats/${chatId}/messages`, { text });
  }

  async release(chatId: string): Promise<void> {
    await this.#ask("POST", `/team/chats/${chatId}/release`, {});
  }

  async resolve(chatId: string): Promise<void> {
    await this.#ask("POST", `/team/chats/${chatId}/resolve`, {});
  }

  async failHandoff(chatId: string): Promise<void> {
    await this.#ask("POST", `/team/chats/${chatId}/fail`, {});
  }

  /** The team's timetable; null for none. */
  async hours(hours: Hours | null): Promise<void> {
    if (hours === null) await this.#ask("DELETE", "/team/hours");
    else await this.#ask("PUT", "/team/hours", hours);
  }

  /** Resets every switch except the clock, which cannot go back. */
  async reset(): Promise<void> {
    await this.clearFaults();
    await this.#ask("DELETE", "/lab/reply");
    await this.channel({ published: true, suspended: false });
    await this.limits({
      chatsPerChannel: null,
      operationsPerChat: null,
      concurrentTurns: null,
      requestsPerMinute: roomyRequestsPerMinute,
    });
  }
}
