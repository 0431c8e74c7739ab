"use client";

import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { unreadCountOf } from "#lib/conversation/selectors.ts";
import { ChatContext, type ShopDetails, useConversation } from "./chat-context.ts";
import { createFormat } from "./format/format.ts";
import type { Strings } from "./i18n/strings.ts";
import type { OpenRequest } from "./launcher/open-request.ts";
import { Panel } from "./panel/panel.tsx";
import type { BrowserTab } from "./runtime/browser-tab.ts";
import { type ChatRuntime, createChatRuntime } from "./runtime/chat-runtime.ts";
import { createStorage } from "./runtime/storage.ts";
import { type Owner, useOwner } from "./runtime/use-owner.ts";
import { ConversationSync, useLeadership } from "./sync/conversation-sync.tsx";

/** Where it does not load, the number on the button calls alone: nobody asked for a note about it. */
const Attention = lazy(() => import("./sync/attention.tsx").catch(() => ({ default: () => null })));

export { createBrowserTab } from "./runtime/browser-tab.ts";

export interface ChatAppProps {
  tab: BrowserTab;
  strings: Strings;
  locale: string;
  isOpen: boolean;
  /** Opens a chat or fills the composer, each time a new object comes. */
  request: OpenRequest | null;
  shop: ShopDetails;
  onOpen(): void;
  onClose(): void;
  onUnread(count: number): void;
}

/** The chat behind its button: loaded when it is opened for the first time, or when something is left to do. */
export function ChatApp({ tab, strings, locale, shop, ...props }: ChatAppProps) {
  const { owner, isAssumed } = useOwner(tab.session, props.isOpen);
  useEffect(forgetLink, []);
  const runtime = useRuntime({ tab, owner, isAssumed, locale, chatId: props.request?.chatId ?? null });
  const { agentName, shopName, contact, suggestions, pictureOrigins } = shop;
  const context = useMemo(
    () => ({
      t: strings,
      format: createFormat({ locale }),
      shop: { agentName, shopName, contact, suggestions, pictureOrigins },
    }),
    [strings, locale, agentName, shopName, contact, suggestions, pictureOrigins],
  );
  if (runtime === null) return null;
  return (
    <ChatContext value={context}>
      <RunningChat runtime={runtime} {...props} />
    </ChatContext>
  );
}

function RunningChat({
  runtime,
  isOpen,
  request,
  onOpen,
  onClose,
  onUnread,
}: Omit<ChatAppProps, "tab" | "strings" | "locale" | "shop"> & { runtime: ChatRuntime }) {
  const state = useConversation(runtime);
  const leads = useLeadership(runtime);
  const [hasOpened, setOpened] = useState(isOpen);
  if (isOpen && !hasOpened) setOpened(true);
  const unread = unreadCountOf(state);
  // What comes while the customer reads along is seen a moment later: it calls for nobody.
  const stillUnread = useDeferredValue(unread);
  const latest = state.messages.findLast(({ role }) => role !== "visitor") ?? null;
  useEffect(() => onUnread(unread), [onUnread, unread]);
  useOpenRequests(runtime, request);
  return (
    <>
      <ConversationSync runtime={runtime} leads={leads} />
      {stillUnread > 0 && (
        <Suspense fallback={null}>
          <Attention unread={unread} latest={latest} isLeading={leads} onOpen={onOpen} />
        </Suspense>
      )}
      {hasOpened && <Panel runtime={runtime} state={state} isOpen={isOpen} onClose={onClose} />}
    </>
  );
}

/** A chat that was linked to is opened once: a reload shows what is on screen then, which may be another. */
function forgetLink(): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has("chat")) return;
  address.searchParams.delete("chat");
  window.history.replaceState(window.history.state, "", address);
}

interface RuntimeOf extends Owner {
  tab: BrowserTab;
  locale: string;
  chatId: string | null;
}

function useRuntime({ tab, owner, isAssumed, locale, chatId }: RuntimeOf): ChatRuntime | null {
  const [runtime, setRuntime] = useState<ChatRuntime | null>(null);
  /** The chat to begin with; later requests go to the runtime. */
  const firstChatId = useRef(chatId);
  /** The one before, which is closed by then. */
  const before = useRef<{ runtime: ChatRuntime; owner: string } | null>(null);
  const wasAssumed = useRef(isAssumed);
  useEffect(() => {
    const left = before.current;
    // What the customer wrote while it was only assumed whose chats these are goes with them to their own.
    const isFound = wasAssumed.current && left !== null && left.owner !== owner;
    const created = createChatRuntime({
      storage: createStorage(owner),
      tab,
      locale,
      chatId: firstChatId.current,
      begun: isFound ? left.runtime.takeBegun() : null,
    });
    before.current = { runtime: created, owner };
    setRuntime(created);
    return created.close;
  }, [tab, owner, locale]);
  useEffect(() => {
    wasAssumed.current = isAssumed;
  }, [isAssumed]);
  return runtime;
}

function useOpenRequests(runtime: ChatRuntime, request: OpenRequest | null): void {
  const done = useRef<OpenRequest | null>(null);
  useEffect(() => {
    if (request === null || done.current === request) return;
    done.current = request;
    if (request.chatId !== undefined && request.chatId !== runtime.getState().chatId) {
      runtime.open(request.chatId);
    }
    if (request.draft !== undefined) runtime.setDraft({ ...runtime.getDraft(), text: request.draft });
  }, [runtime, request]);
}
