"use client";

import { type ComponentType, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { ChatAppProps } from "./chat-app.tsx";
import type { ShopDetails } from "./chat-context.ts";
import { directionOf, type Language, languageOf, loadStrings } from "./i18n/languages.ts";
import type { Strings } from "./i18n/strings.ts";
import { Launcher } from "./launcher/launcher.tsx";
import { launcherStrings } from "./launcher/launcher-strings.ts";
import { type OpenRequest, toOpenRequest } from "./launcher/open-request.ts";
import { forgetOwner, hasUnfinishedBusiness, rememberOpen, wasOpen } from "./launcher/unfinished.ts";
import type { BrowserTab } from "./runtime/browser-tab.ts";
import styles from "./theme.module.css";

export interface ChatWidgetProps extends Partial<Omit<ShopDetails, "agentName" | "shopName">> {
  agentName: string;
  shopName: string;
  /** BCP 47. The chat speaks the nearest of its languages, and formats times and money by it. */
  locale?: string;
  /** `host` follows the page's `color-scheme`. */
  theme?: "host" | "light" | "dark";
}

interface Loaded {
  App: ComponentType<ChatAppProps>;
  strings: Strings;
  tab: BrowserTab;
}

const neverChanges = () => () => undefined;

/** The chat of a page: mounted once, it loads nothing but its button until it is opened. */
export function ChatWidget({
  locale = "en",
  theme = "host",
  agentName,
  shopName,
  contact,
  suggestions,
  pictureOrigins,
}: ChatWidgetProps) {
  const language = languageOf(locale);
  const launcher = useRef<HTMLButtonElement>(null);
  /** The language that is loaded or on its way. */
  const loading = useRef<Language | null>(null);
  const tab = useRef<BrowserTab | null>(null);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isAwake, setAwake] = useState(false);
  const [unread, setUnread] = useState(0);
  const [request, setRequest] = useState<OpenRequest | null>(null);
  // The page is there before its scripts are: a press in between would be lost, so the button comes with them.
  const isWorking = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );

  const load = useCallback(() => {
    setFailed(false);
    if (loading.current === language) return;
    loading.current = language;
    Promise.all([import("./chat-app.tsx"), loadStrings(language)])
      .then(([{ ChatApp, createBrowserTab }, strings]) => {
        tab.current ??= createBrowserTab();
        if (loading.current === language) setLoaded({ App: ChatApp, strings, tab: tab.current });
      })
      .catch(() => {
        // The network, or a deployment that took this version's files away. The next press tries again.
        loading.current = null;
        setFailed(true);
      });
  }, [language]);

  const open = useCallback(
    (wanted: OpenRequest | null = null) => {
      if (wanted !== null) setRequest(wanted);
      setOpen(true);
      setAwake(true);
      rememberOpen(true);
      load();
    },
    [load],
  );

  const close = useCallback(() => {
    setOpen(false);
    rememberOpen(false);
  }, []);

  // The button is on the page again only after the panel is gone.
  const wasShown = useRef(false);
  useEffect(() => {
    if (!isOpen && wasShown.current) launcher.current?.focus();
    wasShown.current = isOpen;
  }, [isOpen]);

  useEffect(() => {
    const linked = new URL(window.location.href).searchParams.get("chat");
    if (linked !== null) open({ chatId: linked });
    else if (wasOpen()) open();
    else if (hasUnfinishedBusiness()) {
      setAwake(true);
      load();
    }
    const onRequest = (event: Event) =>
      open(event instanceof CustomEvent ? toOpenRequest(event.detail) : null);
    window.addEventListener("shop-chat:open", onRequest);
    return () => window.removeEventListener("shop-chat:open", onRequest);
  }, [open, load]);

  const isReady = loaded !== null;
  useEffect(() => {
    if (isReady) return;
    window.addEventListener("shop-chat:session", forgetOwner);
    return () => window.removeEventListener("shop-chat:session", forgetOwner);
  }, [isReady]);

  return (
    <div
      className={styles["theme"]}
      data-theme={theme === "host" ? undefined : theme}
      lang={language}
      dir={directionOf(language)}
    >
      {isWorking && (
        <Launcher
          ref={launcher}
          t={launcherStrings[language]}
          state={hasFailed ? "failed" : isOpen && !isReady ? "loading" : "idle"}
          isOpen={isOpen && isReady}
          unread={isOpen ? 0 : unread}
          onOpen={() => open()}
        />
      )}
      {isAwake && loaded !== null && (
        <loaded.App
          tab={loaded.tab}
          strings={loaded.strings}
          locale={locale}
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
    </div>
  );
}
