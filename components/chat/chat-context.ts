import { createContext, use, useSyncExternalStore } from "react";
import type { Draft } from "#lib/conversation/draft.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import type { Format } from "./format/format.ts";
import type { Strings } from "./i18n/strings.ts";
import type { ChatRuntime } from "./runtime/chat-runtime.ts";

/** What the shop says of itself. */
export interface ShopDetails {
  /** Name of the automatic agent. */
  agentName: string;
  shopName: string;
  /** Where people are reached when the chat cannot help; null when nowhere. */
  contact: { label: string; href: string } | null;
  /** Questions offered in an empty conversation. */
  suggestions: readonly string[];
  /** Origins of product pictures beside the page's own, where its Content Security Policy names them; null for any. */
  pictureOrigins: readonly string[] | null;
}

export interface ChatContextValue {
  t: Strings;
  format: Format;
  shop: ShopDetails;
}

export const ChatContext = createContext<ChatContextValue | null>(null);

export function useChat(): ChatContextValue {
  const value = use(ChatContext);
  if (value === null) throw new TypeError("useChat is called outside the chat");
  return value;
}

export function useConversation(runtime: ChatRuntime): ConversationState {
  return useSyncExternalStore(runtime.subscribe, runtime.getState, runtime.getState);
}

/** What is typed and attached. */
export function useDraft(runtime: ChatRuntime): Draft {
  return useSyncExternalStore(runtime.subscribe, runtime.getDraft, runtime.getDraft);
}
