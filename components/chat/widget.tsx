import {
  type ComponentType,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { createRoot } from "react-dom/client";
import { defaultBasePath } from "../../lib/chat-api/base-path.ts";
import {
  forgetOwner,
  hasPendingWork,
  hasUsedChat,
  rememberOpen,
  wasOpen,
} from "../../lib/engine/before-start.ts";
import styles from "./appearance/theme.module.css";
import { useScheme } from "./appearance/use-scheme.ts";
import type { ChatAppProps } from "./chat-app.tsx";
import {
  builtInLanguages,
  type ChosenLanguage,
  defaultLanguage,
  languageFor,
  loadTexts,
} from "./i18n/built-in.ts";
import type { LauncherStrings, StringOverrides } from "./i18n/language.ts";
import { Launcher, noUnread } from "./launcher/launcher.tsx";
import { ask, linkedChat, type OpenRequests } from "./launcher/open-request.ts";
import { setOffset } from "./launcher/place.ts";
import { whenIdle } from "./launcher/when-idle.ts";
import type { WidgetProps } from "./widget-props.ts";

interface Loaded extends Pick<ChatAppProps, "t"> {
  App: ComponentType<ChatAppProps>;
}

/** Draws the chat with these properties; null removes it. */
export type MountedChat = (props: WidgetProps | null) => void;

/**
 * Mounts the chat in its own React root: an error in the chat never unmounts the page, and events can be kept
 * from the page's root after the chat has handled them (`keepOwnEvents`).
 */
export function mountChat(place: Element): MountedChat {
  const root = createRoot(place);
  return (props) => root.render(props && <Widget {...props} />);
}

/** Loads the chat and its texts when `load` is called. */
function useLoaded(language: ChosenLanguage, strings: StringOverrides | undefined) {
  /** The last call of `load`: loaded or loading. */
  const loading = useRef<() => void>(null);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState(false);

  const fail = useCallback(() => {
    // The next press tries again.
    loading.current = null;
    setFailed(true);
  }, []);

  const load = useCallback(() => {
    if (loading.current === load) return;
    loading.current = load;
    setFailed(false);
    Promise.all([import("./chat-app.tsx"), loadTexts(language)])
      .then(async ([{ ChatApp, customTexts }, texts]) => {
        const t = await customTexts(language, texts, strings);
        if (loading.current === load) setLoaded({ App: ChatApp, t });
      })
      .catch((error: unknown) => {
        fail();
        reportError(error);
      });
  }, [language, strings, fail]);
  const crash = () => {
    setLoaded(null);
    fail();
  };

  return { loaded, failed, load, crash };
}

function useWindowEvent(name: string, act: () => void): void {
  useEffect(() => {
    window.addEventListener(name, act);
    return () => window.removeEventListener(name, act);
  });
}

/** Announces that the page's customer has changed, as a page does that signs in without rendering. */
function useCustomerOfPage(customer: string | null): void {
  const announced = useRef(customer);
  useEffect(() => {
    if (announced.current !== customer) window.dispatchEvent(new Event("shop-chat:session"));
    announced.current = customer;
  }, [customer]);
}

interface Opening {
  api: string;
  isFloating: boolean;
  openOnLoad: boolean;
  requests: OpenRequests;
  root: RefObject<HTMLElement | null>;
  load(): void;
}

/** Whether the chat is open, or at work in the background, and what the page has asked of it. */
function useOpening({ api, isFloating, openOnLoad, requests, root, load }: Opening) {
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
  const onUse = useCallback(() => {
    setAwake(true);
    load();
  }, [load]);
  /** Gets the focus back when the panel closes. */
  const opener = useRef(focusedElement());
  const onClose = () => {
    const focused = focusedElement();
    // The focus stays in the page where the customer has put it meanwhile.
    if (focused !== document.body && !root.current?.contains(focused)) opener.current = focused;
    // Before an effect could: the page may go, or `<shop-chat>` may move, in this task.
    rememberOpen(api, false);
    setOpen(false);
  };

  useEffect(() => (isAwake || isOpen ? load() : whenIdle(load)), [isAwake, isOpen, load]);
  // Before the page can ask for anything that the initial state has not seen.
  useLayoutEffect(() => {
    requests.onRequest = () => {
      opener.current = focusedElement();
      setAsked((before) => before + 1);
      setOpen(true);
      onUse();
    };
    return () => {
      requests.onRequest = undefined;
    };
  }, [requests, onUse]);
  useWindowEvent("shop-chat:close", onClose);
  const onOpen = () => ask(requests, {});
  return { opener, asked, isFloating, isOpen, isAwake, onOpen, onUse, onClose };
}

function Widget(props: WidgetProps) {
  const { api = defaultBasePath, locale = defaultLanguage, strings, languages, requests } = props;
  const { customer = null, launcher, openOnLoad = false, onUnread } = props;
  const language = useMemo(() => languageFor(locale, languages), [locale, languages]);
  const root = useRef<HTMLElement>(null);
  const isFloating = props.mode !== "inline" && props.mode !== "page";
  const { loaded, failed, load, crash } = useLoaded(language, strings);
  const { opener, ...opening } = useOpening({ api, isFloating, openOnLoad, requests, root, load });
  const { isOpen, isAwake } = opening;
  const [unread, setUnread] = useState(noUnread);
  const button = useFocusOnClose(isOpen, opener);
  // In a separate microtask: an error thrown in an effect would take the button away.
  useEffect(() => queueMicrotask(() => onUnread?.(unread.count)), [unread.count, onUnread]);
  useCustomerOfPage(customer);

  const isReady = loaded !== null;
  // Renders the chat ahead at low priority: any input interrupts it.
  const prepared = useDeferredValue(loaded);
  const chat = isAwake ? loaded : prepared;
  useWindowEvent("shop-chat:session", () => {
    if (isReady && isAwake) return;
    forgetOwner(api);
    setUnread(noUnread);
  });

  const hasFailed = failed && (isAwake || !isFloating);
  return (
    <div
      ref={(element) => {
        root.current = element;
        if (element !== null) setOffset(element, props.offset);
      }}
      className={styles["theme"]}
      data-chat-theme={useScheme(props.theme)}
      data-chat-mode={isFloating ? "floating" : props.mode}
      data-chat-side={props.side}
      lang={language.tag}
      dir={language.direction}
    >
      {((isFloating && launcher !== "none") || hasFailed) && (
        <Launcher
          ref={button}
          t={launcherTexts(language, strings?.launcher)}
          hasFailed={hasFailed}
          isLoading={isOpen && !isReady && !hasFailed}
          isOpen={isOpen && isReady}
          unread={isOpen ? noUnread : unread}
          onOpen={opening.onOpen}
          onReload={() => {
            rememberOpen(api, true);
            window.location.reload();
          }}
        />
      )}
      {chat !== null && (
        <chat.App
          {...opening}
          pageProps={props}
          t={chat.t}
          root={root}
          onUnread={setUnread}
          onCrash={crash}
        />
      )}
    </div>
  );
}

/** The button's texts, replaced by the page's. Ignores values that are not strings, as `customTexts` does. */
function launcherTexts({ launcher }: ChosenLanguage, ofPage: object | null | undefined): LauncherStrings {
  const usable = Object.entries(ofPage ?? {}).filter(([, text]) => typeof text === "string");
  return { ...builtInLanguages[defaultLanguage].launcher, ...launcher, ...Object.fromEntries(usable) };
}

/** Also in a shadow tree. */
function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/**
 * Returns the focus to the element that opened the panel, or to the button if it has gone or takes no focus.
 * The button is hidden while the panel is open, so it gets the focus only after the panel has closed.
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
