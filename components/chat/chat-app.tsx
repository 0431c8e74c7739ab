"use client";

import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { limits } from "../../lib/chat-api/limits.ts";
import { hasVisibleText, toStorableText, utf16Length } from "../../lib/chat-api/text.ts";
import type { ChatRuntime } from "../../lib/engine/chat-runtime.ts";
import { createRemembered } from "../../lib/engine/chats/remembered.ts";
import { createChatRuntime } from "../../lib/engine/create-chat-runtime.ts";
import type { BrowserTab } from "../../lib/engine/identity/browser-tab.ts";
import { guestOwner } from "../../lib/engine/identity/session.ts";
import { closedBy, unreadMessagesOf } from "../../lib/engine/state/selectors.ts";
import { clearDraftsOfOthers, clearStorage, createStorage } from "../../lib/engine/storage/storage.ts";
import { ChatContext, type ShopDetails, useConversation } from "./chat-context.ts";
import { createFormat } from "./format/format.ts";
import { builtInLanguages, defaultLanguage } from "./i18n/built-in.ts";
import type { Language, StringOverrides, Strings } from "./i18n/language.ts";
import { loadTexts } from "./i18n/languages.ts";
import { reportUnlessLoadError } from "./launcher/load-error.ts";
import type { OpenRequest } from "./launcher/open-request.ts";
import { ConversationSync, useLeadership } from "./panel/conversation-sync.tsx";
import { Panel } from "./panel/panel.tsx";
import { type Owner, useOwner } from "./use-owner.ts";

/** The chat's words with those of the shop. */
export async function completed(
  language: Language,
  texts: Strings,
  overrides: StringOverrides | undefined,
): Promise<Strings> {
  const isOwn = Object.values<Language>(builtInLanguages).some((own) => own.texts === language.texts);
  if (isOwn && overrides === undefined) return texts;
  const { replaceTexts } = await import("./i18n/replace-texts.ts");
  // What an added language lacks is the default language's.
  const whole = isOwn ? texts : replaceTexts(await loadTexts(builtInLanguages[defaultLanguage]), texts);
  return replaceTexts(whole, overrides);
}

/** If this part does not load, the count on the button is enough: the customer did not ask for the part. */
const Attention = lazy(() =>
  import("./panel/attention.tsx").catch((error: unknown) => {
    reportUnlessLoadError(error);
    return { default: () => null };
  }),
);

export { createBrowserTab } from "../../lib/engine/identity/browser-tab.ts";

export interface ChatAppProps {
  tab: BrowserTab;
  strings: Strings;
  locale: string;
  isOpen: boolean;
  /** False until the chat is opened or has unfinished work: it is rendered, but sends no request. */
  isAwake: boolean;
  /** False if the chat is a part of the page, which is always open. */
  isFloating: boolean;
  /** What the page has asked for so far, oldest first. */
  requests: readonly OpenRequest[];
  shop: ShopDetails;
  onOpen(): void;
  /** The customer begins to use a chat that is a part of the page. */
  onUse(): void;
  onClose(): void;
  onUnread(count: number): void;
}

/** The chat behind the launcher. */
export function ChatApp({ tab, strings, locale, shop, ...props }: ChatAppProps) {
  const { isOpen, isAwake, requests } = props;
  const who = useOwner(tab.session, { isOpen, isAwake });
  useEffect(forgetLink, []);
  const wanted = useRuntime({ ...who, isAwake, tab, locale, chatId: requests[0]?.chatId ?? null });
  const prepared = useDeferredValue(wanted);
  const runtime = isAwake ? wanted : prepared;
  const { agentName, shopName, contact, suggestions, pictureOrigins } = shop;
  const context = useMemo(
    () => ({
      api: tab.session.api,
      t: strings,
      format: createFormat({ locale }),
      shop: { agentName, shopName, contact, suggestions, pictureOrigins },
    }),
    [tab, strings, locale, agentName, shopName, contact, suggestions, pictureOrigins],
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
  isAwake,
  isFloating,
  requests,
  onOpen,
  onUse,
  onClose,
  onUnread,
}: Omit<ChatAppProps, "tab" | "strings" | "locale" | "shop"> & { runtime: ChatRuntime }) {
  const state = useConversation(runtime);
  const leads = useLeadership(runtime, isAwake);
  // A chat that only works in the background needs no panel.
  const [hasPanel, setHasPanel] = useState(isOpen || !isAwake);
  if (isOpen && !hasPanel) setHasPanel(true);
  const { messages, seenId, crossedIds } = state;
  const unread = useMemo(
    () => unreadMessagesOf({ messages, seenId, crossedIds }),
    [messages, seenId, crossedIds],
  );
  // An open chat marks messages as seen a moment after they arrive. Deferring avoids an alert in between.
  const stillUnread = useDeferredValue(unread);
  useEffect(() => onUnread(unread.length), [onUnread, unread]);
  useEffect(() => {
    // Another tab may have started a chat since this one was prepared.
    if (isAwake) runtime.chats.resume();
  }, [runtime, isAwake]);
  useOpenRequests(runtime, requests);
  return (
    <>
      <ConversationSync runtime={runtime} leads={leads} />
      {stillUnread.length > 0 && (
        <Suspense fallback={null}>
          <Attention unread={stillUnread} isLeading={leads} onOpen={onOpen} />
        </Suspense>
      )}
      {hasPanel && (
        <Panel
          runtime={runtime}
          state={state}
          isOpen={isOpen}
          isFloating={isFloating}
          requests={requests}
          onUse={onUse}
          onClose={onClose}
        />
      )}
    </>
  );
}

/**
 * Removes `?chat=` from the URL, so that a reload shows the chat that was on screen, which may be another
 * one.
 */
function forgetLink(): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has("chat")) return;
  address.searchParams.delete("chat");
  window.history.replaceState(window.history.state, "", address);
}

interface RuntimeOf extends Owner {
  isAwake: boolean;
  tab: BrowserTab;
  locale: string;
  chatId: string | null;
}

function useRuntime({
  tab,
  owner,
  isAssumed,
  isShown,
  isAwake,
  locale,
  chatId,
}: RuntimeOf): ChatRuntime | null {
  // Without a stored chat the runtime can be created ahead, because it reads nothing from the server.
  const [isNew] = useState(() => storedChatId(owner) === null);
  const isWanted = isShown && (isAwake || isNew);
  const [runtime, setRuntime] = useState<ChatRuntime | null>(null);
  /** The chat of the first request, until the server names the owner; `useOpenRequests` opens later ones. */
  const firstChatId = useRef(chatId);
  /** The previous runtime, which is closed by now. */
  const before = useRef<{ runtime: ChatRuntime; owner: string } | null>(null);
  const wasAssumed = useRef(isAssumed);
  useEffect(() => {
    if (!isWanted) return;
    const left = before.current;
    // Messages written before the server confirmed the owner move to the confirmed owner's chats.
    const ownerChanged = wasAssumed.current && left !== null && left.owner !== owner;
    const created = createChatRuntime({
      owner,
      storage: createStorage(owner),
      tab,
      locale,
      chatId: firstChatId.current,
      unsent: ownerChanged ? left.runtime.takeUnsent() : null,
    });
    before.current = { runtime: created, owner };
    setRuntime(created);
    return created.close;
  }, [tab, owner, isWanted, locale]);
  useEffect(() => {
    wasAssumed.current = isAssumed;
    if (isAssumed) return;
    // This owner has the linked chat on screen. A later owner, or another language, begins without it.
    firstChatId.current = null;
    // Runs after the runtime above has taken over the unsent content.
    if (owner !== guestOwner) clearStorage(guestOwner);
    clearDraftsOfOthers(owner);
  }, [isAssumed, owner]);
  return runtime;
}

function storedChatId(owner: string): string | null {
  return createRemembered(createStorage(owner)).current()?.chatId ?? null;
}

function useOpenRequests(runtime: ChatRuntime, requests: readonly OpenRequest[]): void {
  const done = useRef(0);
  useEffect(() => {
    for (const { chatId, newChat, draft, send } of requests.slice(done.current)) {
      if (chatId !== undefined && chatId !== runtime.getState().chatId) runtime.chats.open(chatId);
      if (newChat === true) runtime.chats.openNew();
      if (draft !== undefined) fillComposer(runtime, draft);
      if (send !== undefined) sendOrFill(runtime, toStorableText(send));
    }
    done.current = requests.length;
  }, [runtime, requests]);
}

function fillComposer({ draft }: ChatRuntime, text: string): void {
  draft.set({ ...draft.get(), text });
}

/** A text that cannot be sent goes to the composer, which says why. */
function sendOrFill(runtime: ChatRuntime, text: string): void {
  if (!hasVisibleText(text)) return;
  const isSendable = utf16Length(text) <= limits.messageTextLength && closedBy(runtime.getState()) === null;
  if (isSendable) runtime.delivery.send({ text, files: [] });
  else fillComposer(runtime, text);
}
