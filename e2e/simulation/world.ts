/**
 * An episode's parts, as the invariants see them. An episode is one run of a few hundred to a few
 * thousand steps with customers, browsers, servers and a Chat API.
 */
import type { Feedback } from "#lib/bff/chats/host.ts";
import type { ChatEngine } from "#lib/engine/chat.ts";
import type { ChatState } from "#lib/engine/state/state.ts";
import type { ChatApi } from "./chat-api.ts";
import type { Actor } from "./scheduler.ts";

export interface World {
  /** Virtual time in milliseconds since 1970. The clocks of actors differ from it by their `clockOffset`. */
  now(): number;
  /** True once the network has healed and no more actions follow. */
  isHealed: boolean;
  readonly browsers: readonly BrowserFacts[];
  /** Every page that has been open in the episode: a reload makes a new one. */
  readonly pages: readonly PageFacts[];
  /** The page whose code the last step ran; null if it was another's. */
  changed: PageFacts | null;
  /** True if the last step was what a customer did, or what happened to a tab, a browser or a server. */
  hasActed: boolean;
  /** The presses of the customers that the engine has accepted. */
  readonly presses: readonly Press[];
  /** Requests of pages, in the order in which they were sent. */
  readonly requests: readonly SentRequest[];
  /** Requests that have reached the Chat API. */
  readonly apiRequests: readonly ApiRequest[];
  /** The Chat API: what it stores (`chats`), and what the team was told (`notices`). */
  readonly model: Pick<ChatApi, "chats" | "notices" | "conflicts" | "broken">;
  /** The feedback that the host has received. */
  readonly feedback: readonly Feedback[];
  /** The errors that the engine has thrown or reported to its host. */
  readonly errors: ThrownError[];
  /** The timers that code of this actor has set and that have not fired. */
  timersOf(actor: Actor): number;
}

export interface BrowserFacts {
  readonly name: string;
  /** The customer who is signed in to the host now; null for a guest. */
  customer(): string | null;
  /** All values that it stores for its pages. */
  stored(): string[];
  /** The names of all entries that it stores for its pages. */
  names(): string[];
  /** Names of entries that were stored again after their removal. */
  readonly restored: readonly string[];
  /** True once it has refused a page something, or has lost something: a press may then end with its page. */
  hasLostStorage: boolean;
  /** True once it has forgotten where a message was sent, which another page still has. */
  wasCleared: boolean;
}

export interface PageFacts {
  readonly actor: Actor;
  readonly browser: BrowserFacts;
  readonly chat: ChatEngine;
  state(): ChatState;
  /** The person whose chats the page shows: a customer's ID, or `guest of <browser>`; null for nobody yet. */
  person(): string | null;
  /** The person whom the server has named to it last; null if it has named nobody. */
  told: string | null;
  isVisible: boolean;
  /** When the server first named the caller to it; null if it has not. */
  namedAt: number | null;
  /** `gone`: closed by the browser or reloaded, without `close()`. `closed`: after `close()`. */
  life: "open" | "cached" | "gone" | "closed";
  /** The page that was in its tab before a reload. */
  readonly replaces: PageFacts | null;
  /** When `close()` was called. */
  closedAt: number | null;
  /** The state that `close()` has left. */
  closedState: ChatState | null;
  /** Writes to the browser's storage after `close()`. */
  lateWrites: number;
}

/** A person, as `PageFacts.person` names them, and what they have done. */
export type Press = Pressed & {
  readonly at: number;
  readonly page: PageFacts;
  readonly person: string | null;
};

export type Pressed =
  | {
      readonly kind: "send";
      readonly text: string;
      readonly fileNames: readonly string[];
      /** The message's first idempotency key; null if the press may send it, and need not. */
      readonly key: string | null;
      /** Null if the message creates its chat. */
      readonly chatId: string | null;
      readonly createKey: string;
      /** Set once the customer has taken the message back: it need not be stored. */
      isTakenBack: boolean;
    }
  | {
      readonly kind: "submit";
      readonly requestId: string;
      readonly answers: ReadonlyMap<string, string>;
      /** The chat that goes to the team with these answers; null if they are for the agent. */
      readonly forTeam: string | null;
    }
  | { readonly kind: "skip" | "cancel"; readonly requestId: string }
  | { readonly kind: "accept"; readonly confirmationId: string; readonly email: string | null }
  | { readonly kind: "attach"; readonly fileName: string }
  | {
      readonly kind: "rate";
      readonly chatId: string | null;
      readonly messageId: string;
      readonly rated: "up" | "down";
      readonly value: number;
    }
  | { readonly kind: "see"; readonly messageIds: readonly string[] }
  /** A message, a file or a chat that the customer does not want any more. */
  | { readonly kind: "remove"; readonly fileName?: string }
  /** A request to be repeated. */
  | { readonly kind: "repeat" }
  | { readonly kind: "type"; readonly text: string }
  /** Refused messages go to the new chat; waiting ones do not. */
  | { readonly kind: "new chat" };

export interface SentRequest {
  readonly at: number;
  readonly page: PageFacts;
  /** The life of the page when it sent the request. */
  readonly life: PageFacts["life"];
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  /** Null unless it is a text. */
  readonly body: string | null;
  /** The person that the page acts for. */
  readonly person: string | null;
  /** Set with the response's head. */
  status: number | null;
  /** When all of it had arrived: before that the page cannot know an ID or a wait that it carries. */
  answeredAt: number | null;
  /** When the server wants it again, by its `Retry-After`. A refusal that is cut is no answer. */
  retryAt: number | null;
}

export interface ApiRequest {
  readonly at: number;
  readonly method: string;
  /** The path below the channel's address. */
  readonly path: string;
  readonly key: string | null;
  /** Set with the response's head. */
  status: number | null;
}

/** A broken invariant. */
export interface Violation {
  invariant: string;
  what: string;
}

export interface ThrownError {
  readonly at: number;
  readonly where: string;
  readonly error: unknown;
}
