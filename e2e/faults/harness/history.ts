/** The requests of a run's customers and their outcomes: one JSON line each, in order. */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { Message, MessageTurn } from "#lib/chat-api/message.ts";

export type WriteOperation = "createChat" | "sendMessage" | "uploadFile" | "submitCollection" | "handoff";

/** A write, recorded once per key. Retries carry the same request. */
export interface Invoked {
  type: "invoked";
  at: number;
  customer: string;
  operation: WriteOperation;
  key: string;
  /** Null when a chat is created, and for a message whose chat does not exist yet. */
  chatId: string | null;
  /** The key that creates the chat, for a chat's first message. */
  createKey: string | null;
  /** The body; for an upload, its name and text. */
  request: unknown;
  /** The text that a message's reply must contain. */
  expects?: ReplyExpectation;
}

/** `echo`: the reply contains the nonce. `question`: its text may replace the streamed text. `any`: free. */
export type ReplyExpectation = "echo" | "question" | "any";

/** The response's headers arrived. */
export interface Answered {
  type: "answered";
  at: number;
  customer: string;
  operation: string;
  key: string;
  status: number;
}

/** A result that was received completely. */
export interface Resulted {
  type: "result";
  at: number;
  customer: string;
  operation: WriteOperation;
  key: string;
  item: unknown;
}

/** One stream as its reader saw it, until it ended or was cut. */
export interface Streamed {
  type: "streamed";
  at: number;
  customer: string;
  key: string;
  /** Text since the last `start`. */
  text: string;
  messageId: string | null;
  replyId: string | null;
  done: MessageTurn | null;
}

/** How a write ended for the customer. */
export interface Ended {
  type: "ended";
  at: number;
  customer: string;
  operation: WriteOperation;
  key: string;
  /**
   * `failed`: the customer was told that the write did not happen. `unknown`: that its outcome is unknown.
   */
  outcome: "ok" | "failed" | "unknown";
  code: string | null;
  /** True if a message has failed and the customer was told that it is in the list anyway. */
  isListed?: boolean | null;
}

/** The messages of a chat as the customer received them. */
export interface Listed {
  type: "listed";
  /** When the list was requested. */
  since: number;
  at: number;
  customer: string;
  chatId: string;
  items: readonly Message[];
}

/** A notice that a channel delivered to the team. */
export interface Noticed {
  type: "noticed";
  at: number;
  notice: string;
  chatId: string;
}

/** A forbidden event during the run, such as a lost session or a program that exited by itself. */
export interface Broken {
  type: "broken";
  at: number;
  what: string;
}

/** A fault that happened. */
export interface Fault {
  type: "fault";
  at: number;
  what: string;
}

/** A chat as the Chat API returns it after the run. */
export interface FinalChat {
  type: "final";
  at: number;
  customer: string;
  chat: Chat;
  messages: readonly Message[];
  collection: Collection;
}

export type HistoryRecord =
  | Invoked
  | Answered
  | Resulted
  | Streamed
  | Ended
  | Listed
  | Noticed
  | Broken
  | Fault
  | FinalChat;

type Unstamped<R> = R extends HistoryRecord ? Omit<R, "at"> : never;

export interface History {
  readonly records: readonly HistoryRecord[];
  add(record: Unstamped<HistoryRecord>): void;
  now(): number;
}

/** @param keep Receives each record as a line. */
export function createHistory(keep: (line: string) => void = () => undefined): History {
  const records: HistoryRecord[] = [];
  const now = () => performance.now();
  return {
    records,
    now,
    add(record) {
      const stamped = { ...record, at: now() } as HistoryRecord;
      records.push(stamped);
      keep(`${JSON.stringify(stamped)}\n`);
    },
  };
}
