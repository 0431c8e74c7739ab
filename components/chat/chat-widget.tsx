"use client";

import {
  type ComponentType,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { defaultBasePath } from "../../lib/chat-api/base-path.ts";
import { reportUnlessLoadError } from "../../lib/engine/load-error.ts";
import styles from "./appearance/theme.module.css";
import { useScheme, watchNothing } from "./appearance/use-scheme.ts";
import type { ChatAppProps } from "./chat-app.tsx";
import type { GreetingOptions, ShopDetails } from "./chat-context.ts";
import type { WidgetEvent } from "./events.ts";
import { defaultLanguage } from "./i18n/built-in.ts";
import type { Languages, StringOverrides } from "./i18n/language.ts";
import { type ChosenLanguage, languageFor, loadTexts } from "./i18n/languages.ts";
import { Launcher } from "./launcher/launcher.tsx";
import { type Offset, setOffset } from "./launcher/offset.ts";
import { ask, linkedChat, type OpenRequests, watchOpenRequests } from "./launcher/open-request.ts";
import { forgetOwner, hasPendingWork, hasUsedChat, wasOpen } from "./launcher/unfinished.ts";
import { whenIdle } from "./launcher/when-idle.ts";

export type { WidgetEvent };

export interface ChatWidgetProps extends ShopDetails {
  /** The path of the chat's server: its `basePath`. */
  api?: string | undefined;
  /** BCP 47. The chat uses the closest of its languages, and formats times and money by this tag. */
  locale?: string | undefined;
  /** Texts in place of the chat's own, in the language of the page. */
  strings?: StringOverrides | undefined;
  /** Languages besides the chat's own, or in their place, by BCP 47 tag. */
  languages?: Languages | undefined;
  /** For visitors who have not used the chat yet. A floating chat has it, until they dismiss it. */
  greeting?: GreetingOptions | undefined;
  /** `host` follows the page's `color-scheme`, or its background where it sets none. */
  theme?: "host" | "light" | "dark" | undefined;
  /**
   * Who is signed in as the page knows it: any string that differs between customers, null for a guest. When
   * it changes, the chat asks the server at once who the caller is. The string itself stays in the page.
   */
  customer?: string | null;
  /**
   * `floating` is a panel in the page's corner that a button opens. `inline` and `page` fill the element
   * around them and are always open; `page` has no border.
   */
  mode?: "floating" | "inline" | "page" | undefined;
  /** The corner of the floating chat, by the direction of the chat's language. */
  side?: "start" | "end" | undefined;
  /** Distance of the floating chat from the window's edges, in CSS pixels. */
  offset?: Offset | undefined;
  /** `none`: only the page opens the floating chat (docs/chat-widget.md, "From the rest of the page"). */
  launcher?: "button" | "none" | undefined;
  /**
   * Opens the floating chat with the page, until the customer closes it in this tab. An inline chat asks the
   * server for the customer without waiting for a press.
   */
  openOnLoad?: boolean | undefined;
  /** Called with the number of unread messages on mount and after each change. */
  onUnread?(count: number): void;
  /** Called for what happens in this tab. */
  onEvent?(event: WidgetEvent): void;
}

export interface WidgetProps extends ChatWidgetProps {
  requests: OpenRequests;
}

interface Loaded extends Pick<ChatAppProps, "t"> {
  App: ComponentType<ChatAppProps>;
}

/**
 * The chat of a page. Mount it once. Its button loads with the page, the rest when the page is idle, or
 * earlier if the chat opens.
 */
export function ChatWidget(props: ChatWidgetProps) {
  const [requests] = useState<OpenRequests>(() => ({ waiting: [] }));
  useEffect(() => watchOpenRequests((wanted) => ask(requests, wanted)), [requests]);
  return <Widget {...props} requests={requests} />;
}

/** `<shop-chat>` renders this directly, with the requests that it receives. */
export function Widget(props: WidgetProps) {
  const { tag, direction } = languageFor(props.locale ?? defaultLanguage, props.languages);
  // The server-rendered page arrives before its scripts, and a press in between would be lost. So the button
  // is rendered by the client.
  const isWorking = useSyncExternalStore(
    watchNothing,
    () => true,
    () => false,
  );
  const scheme = useScheme(props.theme ?? "host");
  const root = useRef<HTMLDivElement>(null);
  useOffset(root, props.offset);
  return (
    <div
      ref={root}
      className={styles["theme"]}
      data-chat-theme={scheme}
      data-chat-mode={props.mode ?? "floating"}
      data-chat-side={props.side ?? "end"}
      lang={tag}
      dir={direction}
    >
      {isWorking && <WorkingWidget {...props} root={root} />}
    </div>
  );
}

/** Set by script, because a Content Security Policy may forbid the `style` attribute in the page's HTML. */
function useOffset(root: RefObject<HTMLElement | null>, offset: Offset | undefined): void {
  useEffect(() => {
    if (root.current !== null) setOffset(root.current, offset);
  }, [root, offset]);
}

/** Loads the chat and its texts when `load` is called. */
function useLoaded(language: ChosenLanguage, strings: StringOverrides | undefined) {
  /** What is loaded or loading. */
  const loading = useRef<() => void>(null);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState(false);

  const load = useCallback(() => {
    if (loading.current === load) return;
    loading.current = load;
    Promise.all([import("./chat-app.tsx"), loadTexts(language)])
      .then(async ([{ ChatApp, customTexts }, texts]) => {
        const t = await customTexts(language, texts, strings);
        if (loading.current === load) setLoaded({ App: ChatApp, t });
      })
      .catch((error: unknown) => {
        // The next press tries again.
        loading.current = null;
        setFailed(true);
        reportUnlessLoadError(error);
      });
  }, [language, strings]);

  return { loaded, failed, setFailed, load };
}

/** Announces that the page's customer has changed, as a page does that signs in without rendering. */
function useCustomerOfPage(customer: string | null): void {
  const announced = useRef(customer);
  useEffect(() => {
    if (announced.current === customer) return;
    announced.current = customer;
    window.dispatchEvent(new Event("shop-chat:session"));
  }, [customer]);
}

interface Opening {
  api: string;
  isFloating: boolean;
  openOnLoad: boolean;
  requests: OpenRequests;
}

/** Whether the chat is open, or at work in the background, and what the page has asked of it. */
function useOpening(
  { api, isFloating, openOnLoad, requests }: Opening,
  { setFailed, load }: ReturnType<typeof useLoaded>,
) {
  const [asked, setAsked] = useState(0);
  const [isOpenPanel, setOpen] = useState(() => {
    const linked = linkedChat();
    if (linked !== null) ask(requests, linked);
    return requests.waiting.length > 0 || (wasOpen(api) ?? openOnLoad);
  });
  const isOpen = isOpenPanel || !isFloating;
  const [isAwake, setAwake] = useState(
    () => isOpenPanel || hasPendingWork(api) || (!isFloating && (openOnLoad || hasUsedChat(api))),
  );
  const wake = useCallback(() => {
    setAwake(true);
    setFailed(false);
    load();
  }, [setFailed, load]);
  /** Gets the focus back when the panel closes. */
  const opener = useRef(focusedElement());
  const close = useCallback(() => setOpen(false), []);

  useEffect(() => {
    if (isAwake || isOpen) load();
  }, [isAwake, isOpen, load]);
  useEffect(() => whenIdle(load), [load]);
  useEffect(() => {
    requests.onRequest = () => {
      opener.current = focusedElement();
      setAsked((before) => before + 1);
      setOpen(true);
      wake();
    };
    return () => {
      requests.onRequest = undefined;
    };
  }, [requests, wake]);
  useEffect(() => {
    window.addEventListener("shop-chat:close", close);
    return () => window.removeEventListener("shop-chat:close", close);
  }, [close]);
  return { asked, isOpen, isAwake, opener, wake, close };
}

/** Rendered in the browser only, so that its initial state can come from the address and from storage. */
function WorkingWidget({
  api = defaultBasePath,
  locale = defaultLanguage,
  strings,
  languages,
  customer = null,
  mode = "floating",
  launcher = "button",
  openOnLoad = false,
  onUnread,
  onEvent,
  requests,
  root,
  ...shop
}: WidgetProps & Pick<ChatAppProps, "root">) {
  const language = useMemo(() => languageFor(locale, languages), [locale, languages]);
  const isFloating = mode === "floating";
  const loading = useLoaded(language, strings);
  const { loaded, failed } = loading;
  const { asked, isOpen, isAwake, opener, wake, close } = useOpening(
    { api, isFloating, openOnLoad, requests },
    loading,
  );
  const [unread, setUnread] = useState(0);
  const button = useFocusOnClose(isOpen, opener);
  useEffect(() => {
    try {
      onUnread?.(unread);
    } catch (error) {
      // An effect that throws would take the whole page of the host away.
      reportError(error);
    }
  }, [unread, onUnread]);
  useCustomerOfPage(customer);

  const isReady = loaded !== null;
  // Renders the chat ahead at low priority: any input interrupts it.
  const prepared = useDeferredValue(loaded);
  const chat = isAwake ? loaded : prepared;
  useEffect(() => {
    if (isReady && isAwake) return;
    const forget = () => {
      forgetOwner(api);
      setUnread(0);
    };
    window.addEventListener("shop-chat:session", forget);
    return () => window.removeEventListener("shop-chat:session", forget);
  }, [api, isReady, isAwake]);

  const openChat = () => ask(requests, {});
  const hasFailed = failed && (isAwake || !isFloating);
  return (
    <>
      {((isFloating && launcher === "button") || hasFailed) && (
        <Launcher
          ref={button}
          t={{ ...language.launcher, ...strings?.launcher }}
          tag={language.tag}
          state={hasFailed ? "failed" : isOpen && !isReady ? "loading" : "idle"}
          isOpen={isOpen && isReady}
          unread={isOpen ? 0 : unread}
          onOpen={openChat}
        />
      )}
      {chat !== null && (
        <chat.App
          api={api}
          t={chat.t}
          locale={locale}
          isAwake={isAwake}
          isOpen={isOpen}
          isFloating={isFloating}
          requests={requests}
          asked={asked}
          shop={shop}
          onOpen={openChat}
          onUse={wake}
          onClose={close}
          onUnread={setUnread}
          onEvent={onEvent}
          root={root}
        />
      )}
    </>
  );
}

/** Also in a shadow tree. */
function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/**
 * What opened the panel gets the focus back, or the button if that has gone or takes no focus. The button is
 * hidden while the panel is open, so it gets the focus only after the panel has closed.
 */
function useFocusOnClose(isOpen: boolean, opener: RefObject<Element | null>) {
  const button = useRef<HTMLButtonElement>(null);
  const wasShown = useRef(false);
  useEffect(() => {
    const other = opener.current;
    if (!isOpen && wasShown.current) {
      if (other instanceof HTMLElement) other.focus();
      if (!other?.matches(":focus")) button.current?.focus();
    }
    wasShown.current = isOpen;
  }, [isOpen, opener]);
  return button;
}
