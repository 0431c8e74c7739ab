import { createContext, use, useRef, useSyncExternalStore } from "react";
import type { ChatEngine } from "../../lib/engine/chat.ts";
import type { ChatState, ConversationState } from "../../lib/engine/state/state.ts";
import type { IconName } from "./controls/icons.tsx";
import type { WidgetEvent } from "./events.ts";
import type { Format } from "./format/format.ts";
import type { Strings } from "./i18n/language.ts";

/** The shop's names, contact and suggestions. */
export interface ShopDetails {
  agentName: string;
  shopName: string;
  /** How to reach people when the chat cannot help. */
  contact?: { label: string; href: string } | null | undefined;
  /** Address of a square picture for the head of the chat, in place of the agent's initial. */
  logo?: string | null | undefined;
  /** Suggested questions in an empty conversation. */
  suggestions?: readonly string[] | undefined;
  /** An icon for each suggestion, in their order. */
  suggestionIcons?: readonly IconName[] | undefined;
  /** When the team answers, in the page's language: for an empty conversation. */
  teamHours?: string | undefined;
  /**
   * The shop's help pages: a link in an empty conversation, or a field that searches them if `search` names
   * the parameter of their address with the words.
   */
  help?: { label: string; href: string; search?: string | undefined } | undefined;
  /**
   * Origins other than the page's own that product pictures may load from, for a page whose Content Security
   * Policy restricts them; null allows any.
   */
  pictureOrigins?: readonly string[] | null | undefined;
  /**
   * Texts about the agent: beside its name (`label`), and at the chat's beginning. Without it, that an
   * automatic assistant answers.
   */
  disclosure?: { label: string; text: string } | undefined;
  /** Asked before the customer's first message or file, which goes out when they agree. */
  consent?: Consent | undefined;
}

export interface Consent {
  text: string;
  /** The shop's privacy page. */
  href: string;
  /** Another version asks again. */
  version?: string | undefined;
}

/** A bubble above the chat's button. */
export interface GreetingOptions {
  text: string;
  /** Seconds on the page before it appears; 5 by default. */
  after?: number | undefined;
  /** Paths of the pages that have it: `/products` is one, `/products/*` are all below it. All by default. */
  paths?: readonly string[] | undefined;
}

/** The customer has tried to send a message or a file before they agreed. */
export interface ConsentQuestion {
  /** How often they have tried. */
  times: number;
  /** The files that they have chosen, which are uploaded when they agree. */
  fileNames: readonly string[];
  agree(): void;
  refuse(): void;
}

export interface ChatContextValue {
  /** The view's `send` and `attach` ask for a consent that is missing (`consent.tsx`). */
  chat: ChatEngine;
  /** Null while the customer is not asked; absent outside the view. */
  consent?: ConsentQuestion | null;
  t: Strings;
  format: Format;
  shop: ShopDetails;
  /** Tells the host what happened. */
  onEvent(event: WidgetEvent): void;
}

export const ChatContext = createContext<ChatContextValue | null>(null);

export function useChatContext(): ChatContextValue {
  const value = use(ChatContext);
  if (value === null) throw new TypeError("must be inside the chat");
  return value;
}

/**
 * Reads a part of the chat's state, and renders again when it changes. `select` must return the same object
 * as long as the state is the same.
 */
export function useChatState<T>(
  chat: Pick<ChatEngine, "getState" | "subscribe">,
  select: (state: ChatState) => T,
): T {
  const read = () => select(chat.getState());
  return useSyncExternalStore(chat.subscribe, read, read);
}

const withoutReply = (state: ConversationState) => ({ ...state, reply: null });

/**
 * A part of the conversation on screen; renders again when it changes. What `select` returns is compared by
 * its fields. By default everything but the reply in progress, which changes with each of its pieces.
 */
export function useConversation(): ConversationState & { reply: null };
export function useConversation<T>(select: (state: ConversationState) => T): T;
export function useConversation(select: (state: ConversationState) => unknown = withoutReply): unknown {
  const latest = useRef<unknown>(undefined);
  return useChatState(useChatContext().chat, ({ conversation }) => {
    const selected = select(conversation);
    if (!hasSameFields(latest.current, selected)) latest.current = selected;
    return latest.current;
  });
}

export function hasSameFields(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const others = new Map<string, unknown>(Object.entries(b));
  const entries = Object.entries(a);
  return (
    entries.length === others.size && entries.every(([name, value]) => Object.is(value, others.get(name)))
  );
}
