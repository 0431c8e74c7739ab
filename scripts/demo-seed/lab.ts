/** The channel's own switches, `/lab` and `/team`, for programs that hold the team key. */
import type { Chat, ChatMode, HandoffStatus } from "#lib/chat-api/chat.ts";
import type { CollectionValue, Field } from "#lib/chat-api/collection.ts";
import type { ErrorCode } from "#lib/chat-api/errors.ts";
import type { Citation, Message, MessageRole } from "#lib/chat-api/message.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";

export interface Form {
  collectionId?: string;
  purpose: string;
  fields: readonly { field: Field; required: boolean }[];
  canSkip?: boolean;
  canCancel?: boolean;
}

export interface Cards {
  citations?: readonly Citation[];
  products?: readonly Product[];
  orders?: readonly Order[];
  choices?: readonly string[];
}

/** The agent's next reply, word for word. */
export interface ScriptedReply extends Cards {
  text: string;
  /** What is streamed; where it is not the text, the text is a question that takes its place. */
  deltas?: readonly string[];
  /** Milliseconds between two deltas. */
  delayMs?: number;
  /** After so many deltas the reply waits for `goOn`. */
  holdsAfter?: number;
  collection?: Form;
  handoffOffer?: true | { details: Form };
  /** The agent breaks off after its deltas, in every attempt. */
  fails?: boolean;
}

/** A rule with a count: the next `times` operations that fit meet it. */
export interface Fault {
  operation: OperationName;
  fault: "error" | "drop" | "stall" | "delay";
  /** Of `error`. */
  code?: ErrorCode;
  /** Of a streamed reply: so many deltas go out first. */
  afterDeltas?: number;
  /** How long a `delay` or `stall` lasts; what an `error` asks to wait. */
  milliseconds?: number;
  times?: number;
  /** Whether the operation is not carried out at all, or carried out and only its answer suffers. */
  at?: "request" | "response";
  chatId?: string;
}

/** Null: back to the default. */
export interface LimitChanges {
  chatsPerChannel?: number | null;
  operationsPerChat?: number | null;
  requestsPerMinute?: number | null;
  concurrentTurns?: number | null;
}

export interface ImportedMessage extends Cards {
  role: MessageRole;
  text: string;
  createdAt: string | null;
  author?: string;
}

/** A chat that did not begin here. */
export interface ImportedChat {
  /** With an ID that is there already, nothing is changed. */
  id?: string;
  userId: string;
  locale?: string;
  mode?: ChatMode;
  createdAt?: string;
  historyComplete?: boolean;
  teammate?: string;
  handoff?: { status: HandoffStatus; requestedAt?: string; requiresEmail?: boolean; email?: string };
  messages?: readonly ImportedMessage[];
  collection?: {
    fields: readonly Field[];
    values?: readonly {
      fieldId: string;
      value: string | null;
      status: CollectionValue["status"];
      actor?: CollectionValue["actor"];
    }[];
    form?: Form;
    error?: string | null;
  };
}

export interface DetailEdit {
  fieldId: string;
  value: string | null;
  status: CollectionValue["status"];
}

/** What the team's hours say at the channel's time. */
export interface Availability {
  /** The team's timetable, in the form of `/team/hours`; null: it has none. */
  hours: object | null;
  requiresEmail: boolean;
  nextAvailableAt: string | null;
  timezone: string | null;
}

/** `/lab` or `/team` refused. */
export class LabError extends Error {
  readonly status: number;

  constructor(status: number, what: string) {
    super(what);
    this.name = "LabError";
    this.status = status;
  }
}

export interface LabOptions {
  /** The channel's address. */
  baseUrl: string;
  teamKey: string;
}

export class Lab {
  readonly #options: LabOptions;

  constructor(options: LabOptions) {
    this.#options = options;
  }

  /** @throws LabError; TypeError where no channel answers */
  async #ask<T>(method: string, path: string, body?: object, headers: HeadersInit = {}): Promise<T> {
    const { baseUrl, teamKey } = this.#options;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${teamKey}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new LabError(response.status, `${method} ${path}: ${response.status} ${text}`);
    // The channel's own answer, of a route that this class names.
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  async #item<T>(method: string, path: string, body?: object): Promise<T> {
    const { item } = await this.#ask<{ item: T }>(method, path, body);
    return item;
  }

  /** The channel's time. */
  async now(): Promise<Date> {
    const { now } = await this.#item<{ now: string }>("GET", "/lab");
    return new Date(now);
  }

  async advance(seconds: number): Promise<Date> {
    const { now } = await this.#ask<{ now: string }>("POST", "/lab/clock", { advanceSeconds: seconds });
    return new Date(now);
  }

  changeChannel(state: { published?: boolean; suspended?: boolean }): Promise<void> {
    return this.#ask("POST", "/lab/channel", state);
  }

  changeLimits(limits: LimitChanges): Promise<void> {
    return this.#ask("POST", "/lab/limits", limits);
  }

  addFault(fault: Fault): Promise<void> {
    return this.#ask("POST", "/lab/faults", fault);
  }

  clearFaults(): Promise<void> {
    return this.#ask("DELETE", "/lab/faults");
  }

  /** Scripts the next reply, of one chat or of whichever comes first. */
  reply(reply: ScriptedReply, chatId?: string): Promise<void> {
    return this.#ask("POST", "/lab/reply", { reply, ...(chatId === undefined ? {} : { chatId }) });
  }

  /** A reply of this chat that waits goes on: up to so many deltas, or to its end. */
  goOn(chatId: string, holdsAfter?: number): Promise<void> {
    return this.#ask("POST", "/lab/reply/continue", {
      chatId,
      ...(holdsAfter === undefined ? {} : { holdsAfter }),
    });
  }

  /** Forgets the replies that no turn has taken yet. */
  clearReplies(): Promise<void> {
    return this.#ask("DELETE", "/lab/reply");
  }

  importChat(chat: ImportedChat): Promise<Chat> {
    return this.#item("POST", "/lab/chats", chat);
  }

  deleteChat(chatId: string): Promise<void> {
    return this.#ask("DELETE", `/lab/chats/${chatId}`);
  }

  setFileReady(fileId: string, ready: boolean): Promise<void> {
    return this.#ask("POST", `/lab/files/${fileId}`, { ready });
  }

  expireCursors(): Promise<void> {
    return this.#ask("POST", "/lab/cursors/expire", {});
  }

  /** Makes this the channel's chat key, in place of the one before. */
  rotateChatKey(chatKey: string): Promise<void> {
    return this.#ask("POST", "/lab/chat-key", { chatKey });
  }

  claim(chatId: string, name: string): Promise<Chat> {
    return this.#item("POST", `/team/chats/${chatId}/claim`, { name, takesOver: true });
  }

  /** With the same key nothing is posted twice. */
  async postMessage(chatId: string, text: string, idempotencyKey?: string): Promise<Message> {
    const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    const path = `/team/chats/${chatId}/messages`;
    const { item } = await this.#ask<{ item: Message }>("POST", path, { text }, headers);
    return item;
  }

  editDetails(chatId: string, values: readonly DetailEdit[]): Promise<void> {
    return this.#ask("POST", `/team/chats/${chatId}/details`, { values });
  }

  /** Gives the chat back to the agent. */
  release(chatId: string): Promise<Chat> {
    return this.#item("POST", `/team/chats/${chatId}/release`, {});
  }

  resolve(chatId: string): Promise<Chat> {
    return this.#item("POST", `/team/chats/${chatId}/resolve`, {});
  }

  failHandoff(chatId: string): Promise<Chat> {
    return this.#item("POST", `/team/chats/${chatId}/fail`, {});
  }

  /** The team's timetable, in the form of `/team/hours`; null: it has none and is always there. */
  setHours(hours: object | null): Promise<Availability> {
    return hours === null ? this.#item("DELETE", "/team/hours") : this.#item("PUT", "/team/hours", hours);
  }

  readAvailability(): Promise<Availability> {
    return this.#item("GET", "/team/hours");
  }
}
