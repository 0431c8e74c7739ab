import type { ChatRuntime } from "../chat-runtime.ts";
import { type Draft, emptyDraft } from "../chats/draft.ts";
import { createBrowserClient } from "../identity/browser-client.ts";
import type { ConversationState } from "../state/state.ts";
import { inertSession } from "./inert-session.ts";

export interface RuntimeOverrides
  extends Partial<Omit<ChatRuntime, "client" | "chats" | "history" | "delivery" | "draft">> {
  /** Results of some operations; the others never settle. */
  client?: Partial<ChatRuntime["client"]>;
  chats?: Partial<ChatRuntime["chats"]>;
  history?: Partial<ChatRuntime["history"]>;
  delivery?: Partial<ChatRuntime["delivery"]>;
  draft?: Partial<Draft>;
}

/** A runtime with a fixed state that does nothing, for the gallery and for tests. */
export function inertRuntime(
  state: ConversationState,
  { client: answers, chats, history, delivery, draft: parts, ...overrides }: RuntimeOverrides = {},
): ChatRuntime {
  const nothing = () => undefined;
  const draft = { ...emptyDraft, ...parts };
  const send = () => new Promise<never>(nothing);
  const client = { ...createBrowserClient({ session: inertSession, owner: "guest", send }), ...answers };
  return {
    getState: () => state,
    subscribe: () => nothing,
    publish: nothing,
    client,
    clientWith: () => client,
    chats: {
      list: () => [],
      forget: nothing,
      open: nothing,
      openNew: nothing,
      resume: nothing,
      startOver: nothing,
      require: async () => state.chatId ?? "chat_gallery_1",
      ...chats,
    },
    history: {
      reload: nothing,
      loadOlder: async () => undefined,
      sync: async () => undefined,
      syncSoon: async () => undefined,
      markLookedAt: nothing,
      markSeen: nothing,
      ...history,
    },
    delivery: {
      send: nothing,
      retry: nothing,
      takeBack: () => emptyDraft,
      stopShowing: nothing,
      tryNow: nothing,
      ...delivery,
    },
    draft: { get: () => draft, set: nothing, holdUploads: nothing, loseUploads: nothing },
    sleep: async () => undefined,
    isLasting: () => true,
    lead: () => nothing,
    takeUnsent: () => ({ text: "", records: [] }),
    close: nothing,
    ...overrides,
  };
}
