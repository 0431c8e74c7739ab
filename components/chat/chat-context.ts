import { createContext, use, useSyncExternalStore } from "react";
import type { ChatRuntime } from "../../lib/engine/chat-runtime.ts";
import type { Draft } from "../../lib/engine/chats/draft.ts";
import { takesMessages } from "../../lib/engine/state/selectors.ts";
import type { ConversationState } from "../../lib/engine/state/state.ts";
import type { Format } from "./format/format.ts";
import type { Strings } from "./i18n/language.ts";

/** The shop's names, contact and suggestions. */
export interface ShopDetails {
  agentName: string;
  shopName: string;
  /** How to reach people when the chat cannot help; null if there is no such contact. */
  contact: { label: string; href: string } | null;
  /** Suggested questions in an empty conversation. */
  suggestions: readonly string[];
  /**
   * Origins other than the page's own that product pictures may load from, for a page whose Content Security
   * Policy restricts them; null allows any.
   */
  pictureOrigins: readonly string[] | null;
}

export interface ChatContextValue {
  /** The base path of the chat's server. */
  api: string;
  t: Strings;
  format: Format;
  shop: ShopDetails;
}

export const ChatContext = createContext<ChatContextValue | null>(null);

export function useChat(): ChatContextValue {
  const value = use(ChatContext);
  if (value === null) throw new TypeError("must be inside the chat");
  return value;
}

export function useConversation(runtime: ChatRuntime): ConversationState {
  return useSyncExternalStore(runtime.subscribe, runtime.getState, runtime.getState);
}

/** True if the chat is closed, deleted or full, so that it has no message field. */
export function useIsClosed(runtime: ChatRuntime): boolean {
  const read = () => !takesMessages(runtime.getState());
  return useSyncExternalStore(runtime.subscribe, read, read);
}

export function useDraft(runtime: ChatRuntime): Draft {
  return useSyncExternalStore(runtime.subscribe, runtime.draft.get, runtime.draft.get);
}
