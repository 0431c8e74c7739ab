"use client";

import {
  type ComponentType,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { defaultBasePath } from "../../lib/chat-api/base-path.ts";
import type { BrowserTab } from "../../lib/engine/identity/browser-tab.ts";
import styles from "./appearance/theme.module.css";
import { useScheme } from "./appearance/use-scheme.ts";
import type { ChatAppProps } from "./chat-app.tsx";
import type { ShopDetails } from "./chat-context.ts";
import { directionOf, type Language, languageOf, loadStrings, type Strings } from "./i18n/languages.ts";
import { Launcher } from "./launcher/launcher.tsx";
import { launcherStrings } from "./launcher/launcher-strings.ts";
import { isLoadError, reportUnlessLoadError } from "./launcher/load-error.ts";
import { linkedChat, type OpenRequest, toOpenRequest } from "./launcher/open-request.ts";
import { forgetOwner, hasPendingWork, rememberOpen, wasOpen } from "./launcher/unfinished.ts";
import { whenIdle } from "./launcher/when-idle.ts";

export interface ChatWidgetProps extends Partial<Omit<ShopDetails, "agentName" | "shopName">> {
  agentName: string;
  shopName: string;
  /** The path of the chat's server: its `basePath`. */
  api?: string;
  /** BCP 47. The chat uses the closest of its languages, and formats times and money by this tag. */
  locale?: string;
  /** `host` follows the page's `color-scheme`, or its background where it sets none. */
  theme?: "host" | "light" | "dark";
  /**
   * Who is signed in as the page knows it: any string that differs between customers, null for a guest. When
   * it changes, the chat asks the server at once who the caller is. The string itself stays in the page.
   */
  customer?: string | null;
  /** Called with the number of unread messages on mount and after each change. */
  onUnread?(count: number): void;
}

export interface WidgetProps extends ChatWidgetProps {
  /** The request that opened the chat before React was loaded; null for none. */
  first: OpenRequest | null;
}

interface Loaded {
  App: ComponentType<ChatAppProps>;
  strings: Strings;
  tab: BrowserTab;
}

const neverChanges = () => () => undefined;

/**
 * The chat of a page. Mount it once. Its button loads with the page, the rest when the page is idle, or
 * earlier if the chat opens.
 */
export function ChatWidget(props: ChatWidgetProps) {
  return <Widget {...props} first={null} />;
}

/** `<shop-chat>` renders this directly, with the request that it received before React was loaded. */
export function Widget(props: WidgetProps) {
  const language = languageOf(props.locale ?? "en");
  // The server-rendered page arrives before its scripts, and a press in between would be lost. So the button
  // is rendered by the client.
  const isWorking = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const scheme = useScheme(props.theme ?? "host");
  return (
    <div className={styles["theme"]} data-chat-theme={scheme} lang={language} dir={directionOf(language)}>
      {isWorking && <WorkingWidget {...props} />}
    </div>
  );
}

/** Loads the chat and its texts in this language when `load` is called. */
function useLoaded(api: string, language: Language) {
  /** The language that is loaded or loading. */
  const loading = useRef<Language | null>(null);
  const tab = useRef<BrowserTab | null>(null);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState<"failed" | "broken" | null>(null);

  const load = useCallback(() => {
    if (loading.current === language) return;
    loading.current = language;
    Promise.all([import("./chat-app.tsx"), loadStrings(language)])
      .then(([{ ChatApp, createBrowserTab }, strings]) => {
        tab.current ??= createBrowserTab(api);
        if (loading.current === language) setLoaded({ App: ChatApp, strings, tab: tab.current });
      })
      .catch((error: unknown) => {
        // The next press tries again.
        loading.current = null;
        setFailed(isLoadError(error) ? "failed" : "broken");
        reportUnlessLoadError(error);
      });
  }, [api, language]);

  return { loaded, failed, setFailed, load };
}

/** Listens for the events with which a page opens and closes the chat. */
function useRequestsOfPage(open: (wanted: OpenRequest | null) => void, close: () => void): void {
  useEffect(() => {
    const onRequest = (event: Event) =>
      open(event instanceof CustomEvent ? toOpenRequest(event.detail) : null);
    window.addEventListener("shop-chat:open", onRequest);
    window.addEventListener("shop-chat:close", close);
    return () => {
      window.removeEventListener("shop-chat:open", onRequest);
      window.removeEventListener("shop-chat:close", close);
    };
  }, [open, close]);
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

/** Whether the chat is open, or at work in the background, and what it was opened for. */
function useOpening(first: OpenRequest | null, { setFailed, load }: ReturnType<typeof useLoaded>) {
  const [request, setRequest] = useState(() => linkedChat() ?? first);
  const [isOpen, setOpen] = useState(() => request !== null || wasOpen());
  const [isAwake, setAwake] = useState(() => isOpen || hasPendingWork());

  const open = useCallback(
    (wanted: OpenRequest | null = null) => {
      if (wanted !== null) setRequest(wanted);
      setOpen(true);
      setAwake(true);
      setFailed(null);
      rememberOpen(true);
      load();
    },
    [setFailed, load],
  );

  const close = useCallback(() => {
    setOpen(false);
    rememberOpen(false);
  }, []);

  useEffect(() => {
    if (isOpen) rememberOpen(true);
    if (isAwake) load();
  }, [isOpen, isAwake, load]);
  useEffect(() => whenIdle(load), [load]);

  useRequestsOfPage(open, close);
  return { request, isOpen, isAwake, open, close };
}

/** Rendered in the browser only, so that its initial state can come from the address and from storage. */
function WorkingWidget({
  api = defaultBasePath,
  locale = "en",
  agentName,
  shopName,
  contact,
  suggestions,
  pictureOrigins,
  customer = null,
  onUnread,
  first,
}: WidgetProps) {
  const language = languageOf(locale);
  const launcher = useRef<HTMLButtonElement>(null);
  const loading = useLoaded(api, language);
  const { loaded, failed } = loading;
  const { request, isOpen, isAwake, open, close } = useOpening(first, loading);
  const [unread, setUnread] = useState(0);

  // The button is hidden while the panel is open, so it gets the focus only afterwards.
  const wasShown = useRef(false);
  useEffect(() => {
    if (!isOpen && wasShown.current) launcher.current?.focus();
    wasShown.current = isOpen;
  }, [isOpen]);

  useEffect(() => onUnread?.(unread), [unread, onUnread]);
  useCustomerOfPage(customer);

  const isReady = loaded !== null;
  // Renders the chat ahead at low priority: any input interrupts it.
  const prepared = useDeferredValue(loaded);
  const chat = isAwake ? loaded : prepared;
  useEffect(() => {
    if (isReady && isAwake) return;
    window.addEventListener("shop-chat:session", forgetOwner);
    return () => window.removeEventListener("shop-chat:session", forgetOwner);
  }, [isReady, isAwake]);

  return (
    <>
      <Launcher
        ref={launcher}
        t={launcherStrings[language]}
        state={(isAwake && failed) || (isOpen && !isReady ? "loading" : "idle")}
        isOpen={isOpen && isReady}
        unread={isOpen ? 0 : unread}
        onOpen={() => open()}
      />
      {chat !== null && (
        <chat.App
          tab={chat.tab}
          strings={chat.strings}
          locale={locale}
          isAwake={isAwake}
          isOpen={isOpen}
          request={request}
          shop={{
            agentName,
            shopName,
            contact: contact ?? null,
            suggestions: suggestions ?? [],
            pictureOrigins: pictureOrigins ?? null,
          }}
          onOpen={open}
          onClose={close}
          onUnread={setUnread}
        />
      )}
    </>
  );
}
