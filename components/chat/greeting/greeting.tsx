import { type ReactNode, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { hasUsedChat, wasOpen } from "../../../lib/engine/before-start.ts";
import { listen } from "../../../lib/engine/listen.ts";
import { type GreetingOptions, useChatContext } from "../chat-context.ts";
import { IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { showOnTop } from "../launcher/place.ts";
import styles from "./greeting.module.css";
import { useIsInTheWay } from "./use-is-in-the-way.ts";

/** Seconds. */
const usualWait = 5;

export interface GreetingProps {
  /** The base path of the chat's server. */
  api: string;
  greeting: GreetingOptions;
  onOpen(): void;
}

/**
 * Greets a customer who has not used the chat yet, after some seconds on one of the pages. It stores nothing
 * unless it is dismissed.
 */
export function Greeting({ api, greeting, onOpen }: GreetingProps): ReactNode {
  const { chat } = useChatContext();
  const { text, after = usualWait, paths } = greeting;
  const [isWanted, setWanted] = useState(
    () => wasOpen(api) === null && !hasUsedChat(api) && !chat.preferences().hidesGreeting,
  );
  const path = useSyncExternalStore(watchPath, () => window.location.pathname);
  const isHere = isWanted && (paths === undefined || paths.some((one) => isPath(one, path)));
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isHere) return;
    const timer = setTimeout(() => setDue(true), after * 1_000);
    return () => {
      clearTimeout(timer);
      setDue(false);
    };
  }, [isHere, after]);
  const bubble = useRef<HTMLDivElement>(null);
  const isInTheWay = useIsInTheWay(bubble, isDue);
  const dismiss = () => {
    // The bubble would take the focus with it.
    const chatRoot = bubble.current?.closest("[data-chat-mode]");
    chatRoot?.querySelector<HTMLElement>("[aria-haspopup=dialog]")?.focus();
    chat.setPreferences({ ...chat.preferences(), hidesGreeting: true });
    setWanted(false);
  };
  return (
    // Screen readers announce what is added to a live region that exists.
    <div role="status">
      {isDue && (
        <GreetingBubble ref={bubble} text={text} isHidden={isInTheWay} onOpen={onOpen} onDismiss={dismiss} />
      )}
    </div>
  );
}

/** Calls back when a page changes its path without loading. */
function watchPath(onChange: () => void): () => void {
  // Browsers before 2026 may lack it: there the path is that of the page that has loaded.
  const { navigation }: { name: string; navigation?: EventTarget } = window;
  return listen(navigation, "currententrychange", onChange);
}

/** `/products` is one page, `/products/*` are all below it. */
function isPath(wanted: string, path: string): boolean {
  return wanted.endsWith("*") ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

export interface GreetingBubbleProps {
  ref?: RefObject<HTMLDivElement | null>;
  text: string;
  isHidden: boolean;
  onOpen(): void;
  onDismiss(): void;
}

/** A bubble above the chat's button. Its text opens the chat. */
export function GreetingBubble({ ref, text, isHidden, onOpen, onDismiss }: GreetingBubbleProps) {
  const { t } = useChatContext();
  useEffect(() => showOnTop(ref?.current ?? null), [ref]);
  return (
    <div ref={ref} className={styles["greeting"]} popover="manual" data-hidden={isHidden}>
      <button type="button" className={styles["text"]} onClick={onOpen}>
        <bdi>{text}</bdi>
      </button>
      <IconButton
        icon={<Icon name="close" size={16} />}
        label={t.panel.dismiss}
        className={styles["dismiss"]}
        onClick={onDismiss}
      />
    </div>
  );
}
