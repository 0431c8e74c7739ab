"use client";

import "./appearance/content.css";
import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { defaultBasePath } from "../../lib/chat-api/base-path.ts";
import { rememberOpen, wasOpen } from "../../lib/engine/before-start.ts";
import type { ChatEngine } from "../../lib/engine/chat.ts";
import { createChat } from "../../lib/engine/create-chat.ts";
import { listen } from "../../lib/engine/listen.ts";
import { unreadMessagesOf } from "../../lib/engine/state/selectors.ts";
import {
  type Consent,
  type GreetingOptions,
  useChatContext,
  useChatState,
  useConversation,
} from "./chat-context.ts";
import { useCheckedProps } from "./checked-props.ts";
import { ConsentGate } from "./consent/consent.tsx";
import { Contained, CrashBoundary } from "./crash-boundary.tsx";
import { dispatchChatEvent, keepOwnEvents, type WidgetEvent } from "./events.ts";
import { Greeting } from "./greeting/greeting.tsx";
import { defaultLanguage } from "./i18n/built-in.ts";
import type { Strings } from "./i18n/language.ts";
import { counted } from "./i18n/strings.ts";
import type { Unread } from "./launcher/launcher.tsx";
import type { OpenRequests } from "./launcher/open-request.ts";
import { Attention } from "./panel/attention.tsx";
import { Panel } from "./panel/panel.tsx";
import type { WidgetProps } from "./widget-props.ts";

export { customTexts } from "./i18n/custom-texts.ts";

export interface ChatAppProps {
  /** The page's properties, unchecked. */
  pageProps: WidgetProps;
  t: Strings;
  isOpen: boolean;
  /** False until the chat is opened or has unfinished work: it is rendered, but sends no request. */
  isAwake: boolean;
  /** False if the chat is a part of the page, which is always open. */
  isFloating: boolean;
  /** Counts the page's requests. */
  asked: number;
  onOpen(): void;
  /** The customer begins to use a chat that is a part of the page. */
  onUse(): void;
  onClose(): void;
  onUnread(unread: Unread): void;
  onCrash(): void;
  /** Where events of the DOM are dispatched. */
  root: RefObject<HTMLElement | null>;
}

/** The chat behind the launcher. */
export function ChatApp(props: ChatAppProps) {
  const onCrash = (error: unknown) => {
    reportError(error);
    props.onCrash();
  };
  return (
    <CrashBoundary onCrash={onCrash}>
      <CheckedChat {...props} />
    </CrashBoundary>
  );
}

function CheckedChat({ pageProps, t, root, ...props }: ChatAppProps) {
  const shop = useCheckedProps(pageProps);
  const { api = defaultBasePath, locale = defaultLanguage, greeting } = shop;
  const { requests, onEvent } = pageProps;
  useEffect(() => keepOwnEvents(root.current?.parentElement), [root]);
  useFullScreen(root);
  const tell = useTell(root, onEvent);
  useEventsOfPanel(api, props, tell);
  const chat = useNewChat(api, locale, shop.consent, tell);
  useEffect(forgetLink, []);
  return (
    chat && (
      <ConsentGate chat={chat} t={t} locale={locale} shop={shop} onEvent={tell}>
        <RunningChat api={api} greeting={greeting} requests={requests} {...props} />
      </ConsentGate>
    )
  );
}

/** An element around the chat that goes to full screen lies above what was in the top layer before. */
function useFullScreen(root: ChatAppProps["root"]): void {
  useEffect(() => {
    const onChange = () => {
      const tree = root.current?.getRootNode();
      const inPage = tree instanceof ShadowRoot ? tree.host : root.current;
      if (root.current === null || !document.fullscreenElement?.contains(inPage)) return;
      for (const shown of root.current.querySelectorAll<HTMLElement>(":popover-open")) {
        shown.hidePopover();
        shown.showPopover();
      }
    };
    return listen(document, "fullscreenchange", onChange);
  }, [root]);
}

/** Tells the page: by an event of the DOM, and by the host's function. Returns the same function always. */
function useTell(root: ChatAppProps["root"], onEvent: WidgetProps["onEvent"]) {
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  }, [onEvent]);
  return useCallback(
    (event: WidgetEvent) => {
      if (root.current !== null) dispatchChatEvent(root.current, event);
      try {
        latest.current?.(event);
      } catch (error) {
        // The host's error must not disturb the chat.
        reportError(error);
      }
    },
    [root],
  );
}

/** Tells that the floating panel has opened or closed, and stores it for the next page. */
function useEventsOfPanel(
  api: string,
  { isOpen, isFloating }: Pick<ChatAppProps, "isOpen" | "isFloating">,
  tell: (event: WidgetEvent) => void,
): void {
  const wasShown = useRef<boolean>(null);
  useEffect(() => {
    if (wasShown.current === null) {
      tell({ type: "ready" });
      // On a page that shows an open chat again, nothing has changed.
      wasShown.current = wasOpen(api) === true;
    }
    if (!isFloating || isOpen === wasShown.current) return;
    wasShown.current = isOpen;
    rememberOpen(api, isOpen);
    tell({ type: isOpen ? "opened" : "closed" });
  }, [api, isFloating, isOpen, tell]);
}

function useNewChat(
  api: string,
  locale: string,
  question: Consent | undefined,
  onEvent: (event: WidgetEvent) => void,
): ChatEngine | null {
  const [chat, setChat] = useState<ChatEngine | null>(null);
  const consent = question ? (question.version ?? "1") : null;
  const [first] = useState({ locale, consent });
  useEffect(() => {
    const created = createChat({ api, ...first, onEvent });
    setChat(created);
    return created.close;
  }, [api, first, onEvent]);
  useEffect(() => chat?.setLocale(locale), [chat, locale]);
  useEffect(() => chat?.setConsent(consent), [chat, consent]);
  return chat;
}

function RunningChat({
  api,
  greeting,
  requests,
  isAwake,
  onOpen,
  onUnread,
  ...panel
}: Omit<ChatAppProps, "pageProps" | "t" | "root"> & {
  api: string;
  greeting: GreetingOptions | undefined;
  requests: OpenRequests;
}) {
  const { isOpen, isFloating, asked } = panel;
  const { chat, t, format } = useChatContext();
  const state = useConversation();
  const leads = useChatState(chat, (all) => all.leads);
  // A chat that only works in the background needs no panel.
  const [hasPanel, setHasPanel] = useState(isOpen || !isAwake);
  if (isOpen && !hasPanel) setHasPanel(true);
  const { messages, seenId, newIds } = state;
  const unread = useMemo(() => unreadMessagesOf({ messages, seenId, newIds }), [messages, seenId, newIds]);
  // An open chat marks messages as seen a moment after they arrive. Deferring avoids an alert in between.
  const stillUnread = useDeferredValue(unread);
  const missed = useStarts(chat, isOpen, isAwake);
  const count = isAwake ? unread.length : missed;
  useEffect(
    () => onUnread({ count, text: counted(t.messages.newBelow, count, format) }),
    [onUnread, count, t, format],
  );
  useOpenRequests(chat, requests, asked);
  return (
    <>
      <Contained fallback={null}>
        {stillUnread.length > 0 && <Attention unread={stillUnread} isLeading={leads} />}
        {greeting && isFloating && !isOpen && <Greeting api={api} greeting={greeting} onOpen={onOpen} />}
      </Contained>
      {hasPanel && <Panel {...panel} />}
    </>
  );
}

/**
 * Starts the chat when it wakes, opens, or the page announces that the customer has changed. A chat that
 * sleeps asks only what a customer who has used it before has missed: returns how many messages.
 */
function useStarts(chat: ChatEngine, isOpen: boolean, isAwake: boolean): number {
  const [missed, setMissed] = useState(0);
  const started = useRef<ChatEngine | null>(null);
  useEffect(() => {
    const onCustomer = isAwake ? chat.start : () => setMissed(0);
    if (!isAwake) chat.peek(setMissed);
    else if (isOpen || started.current !== chat) chat.start();
    if (isAwake) started.current = chat;
    return listen(window, "shop-chat:session", onCustomer);
  }, [chat, isOpen, isAwake]);
  return missed;
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

function useOpenRequests(chat: ChatEngine, requests: OpenRequests, asked: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` tells of new ones
  useEffect(() => {
    for (const { chatId, newChat, draft, send } of requests.waiting.splice(0)) {
      if (typeof chatId === "string") chat.openChat(chatId);
      if (newChat === true) chat.newChat();
      if (typeof draft === "string") chat.addText(draft);
      if (typeof send === "string") chat.send(send);
    }
  }, [chat, requests, asked]);
}
