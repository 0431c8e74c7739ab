import type { Collection } from "../chat-api/collection.ts";
import type { FeedbackBody } from "../chat-api/feedback.ts";
import type { File as ChatFile, HandoffOffer, Message } from "../chat-api/message.ts";
import type { Browser } from "./browser/browser.ts";
import type { RememberedChat } from "./chats/remembered.ts";
import type { Summary } from "./chats/summary.ts";
import type { FailureOf } from "./failure.ts";
import type { Preferences } from "./preferences.ts";
import type { Attachment } from "./state/attachments.ts";
import type { ChatEvent } from "./state/events.ts";
import type { AnswerProblems } from "./state/form.ts";
import type { ChatState } from "./state/state.ts";

export interface ChatOptions {
  /** The base path of the chat's server. */
  api: string;
  /** The language of new chats: BCP 47, or what else names a locale, such as `de_DE`. */
  locale: string;
  /** Version of the text that the customer must agree to before a message or file goes out; null: none. */
  consent?: string | null;
  /** Called for what happens in this tab. */
  onEvent?: (event: ChatEvent) => void;
  /**
   * Called once with each error that this chat does not know, which is an error of ours or of `onEvent`. By
   * default the page's `reportError`.
   */
  onError?: (error: unknown) => void;
  /** The platform; by default the page's browser. */
  browser?: Browser;
}

/** The whole conversation, for a transcript. */
export interface WholeChat {
  messages: readonly Message[];
  /** The collected details; null if they are unknown. */
  collection: Collection | null;
  /** False if messages could not be read. */
  isComplete: boolean;
}

/**
 * The chat without a view: one browser tab's chat with the shop. `getState` returns a new object after each
 * change. Nothing is stored before `start`, and nothing sent but by `peek`. No action throws or needs to be
 * awaited, apart from those that return a promise; what goes wrong is part of the state, with its remedy
 * (`remedyFor`).
 */
export interface ChatEngine {
  getState(): ChatState;
  /** Calls back after each change of the state. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;

  /**
   * Asks the server who the customer is, and shows their last chat. Call it when the customer begins to use
   * the chat; later calls ask again, for a customer who may have signed in or out. What they write before the
   * answer goes to their chat.
   */
  start(): void;
  /**
   * Call it on a page that does not `start` yet: asks, with one request, how many messages of the last chat
   * are unread, and calls back once. Asks nothing for a customer without a chat; says nothing after a
   * failure.
   */
  peek(onUnread: (count: number) => void): void;
  /** The language of chats created from now on. BCP 47. */
  setLocale(locale: string): void;

  /** Changes `consent` of the options. Another version asks again. */
  setConsent(version: string | null): void;
  /** The customer agrees, which this browser stores by version: `hasConsent` is true in all its tabs. */
  agree(): void;

  /** Stores the unsent text. It survives a reload. */
  setText(text: string): void;
  /**
   * Proposes a text of the page: it comes after what the customer has typed, in place of an earlier proposal
   * that they have not changed.
   */
  addText(text: string): void;
  /**
   * Sends a message exactly once: it is stored first, repeated under its key after a lost connection, after a
   * reload or in another tab, and refused with a remedy if it cannot be delivered. Without a text it sends
   * the draft. A text that cannot be sent, as before the customer's consent, goes into the draft. Returns
   * whether a message is being sent.
   */
  send(text?: string): boolean;
  /**
   * Sends refused messages again. One that the server may have stored keeps its key. Does nothing before the
   * customer's consent.
   */
  retry(keys: readonly string[]): void;
  /** Repeats at once the requests whose outcome is in doubt. */
  tryNow(): void;
  /** Removes a refused message. */
  withdraw(key: string): void;
  /** Moves refused messages back into the draft, with or without their files. */
  edit(keys: readonly string[], options?: { withoutFiles?: boolean }): void;
  /** Stops showing the reply in progress, which the agent finishes anyway. */
  stop(): void;

  /**
   * Uploads files for the next message. Each is stored once, and repeated as a message is: after a wait that
   * the server asks for, and when the network returns. A reload ends uploads; the draft then names the files
   * to choose again. Before the customer's consent, the draft names all of them so.
   */
  attach(files: readonly File[]): void;
  /** Uploads a failed file again. Does nothing before the customer's consent. */
  retryUpload(key: string): void;
  /** Cancels an upload, or removes a file of the next message. */
  detach(attachment: Attachment): void;

  /** Stores an answer in the open form. It survives a reload of the tab. */
  answerForm(fieldId: string, text: string): void;
  /** Sends the open form's answers, once. Returns the problems for which it does not. */
  submitForm(): AnswerProblems;
  skipForm(): void;
  cancelForm(): void;
  /** Repeats the form's last request, which has failed. */
  retryForm(): void;
  /** Reads the form again. */
  readForm(): void;
  /** Stores the address for the team's reply. It survives a reload of the tab. */
  setOfferEmail(email: string): void;
  /**
   * Passes the chat to the team, once. If the team requires a form first, this continues when the form is
   * complete. Returns false if the offer requires an address and there is no valid one.
   */
  acceptOffer(offer: HandoffOffer): boolean;
  /** Removes the note on a handoff that has failed. */
  dismissOfferFailure(): void;

  /** Shows a chat of this customer. Its draft and its unsent messages are where they were. */
  openChat(chatId: string): void;
  /** Shows a new chat, with the text of the draft. It is created with its first message or file. */
  newChat(): void;
  /**
   * Replaces a chat that accepts no more messages or files by a new one, which gets the text of its draft and
   * of its refused messages and names the files to choose again.
   */
  startOver(): void;
  /** The chats that this browser remembers, latest first, and those of other devices that the host lists. */
  chats(): readonly RememberedChat[];
  /** Takes a chat off that list, and off the host's. */
  forgetChat(chatId: string): void;
  /** Reads what a remembered chat is about. Never rejects. */
  readSummary(chat: RememberedChat, signal: AbortSignal): Promise<Summary>;

  /** Reads the chat again after a failure. */
  reload(): void;
  /** Loads more earlier messages. Never rejects. */
  loadOlder(): Promise<void>;
  /** The whole conversation; null if another one has come on screen meanwhile. Never rejects. */
  transcript(): Promise<WholeChat | null>;
  /** The message is on the customer's screen: it and all before it are read. */
  markSeen(messageId: string): void;
  /** The customer has returned: moves the unread mark to the first unread message. */
  markLookedAt(): void;

  /**
   * Says what the customer thinks of an answer of the agent or of the chat, while `feedback` is not null; a
   * `value` of 0 takes it back. It is stored first, survives a reload, and is repeated for a day until the
   * host has it. A later call about the same message, or the chat, replaces an earlier one.
   */
  rate(feedback: FeedbackBody): void;

  /** Address of a file's bytes, for an image. */
  fileUrl(file: ChatFile): string;
  /** Reads a file's bytes. Rejects; see `failureOf`. */
  readFile(file: ChatFile): Promise<Blob>;
  /** Why a file cannot be loaded. Never rejects. */
  isFileGone(file: ChatFile): Promise<boolean>;

  /** Describes the rejection of an action. An error that the chat does not know goes to `onError`. */
  failureOf: FailureOf;

  /** The customer's preferences, which this browser stores. */
  preferences(): Preferences;
  setPreferences(preferences: Preferences): void;

  /**
   * Ends requests, waits and subscriptions. What is unsent stays stored. From then on no action does
   * anything.
   */
  close(): void;
}
