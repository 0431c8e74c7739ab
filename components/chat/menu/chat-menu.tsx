import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { listen } from "../../../lib/engine/listen.ts";
import { useChatContext } from "../chat-context.ts";
import { Icon, type IconName } from "../controls/icons.tsx";
import styles from "./menu.module.css";
import { useTranscript } from "./transcript.ts";

export interface ChatMenuProps {
  onPreviousChats(): void;
  onClose(): void;
}

/** The actions for the conversation. Arrow keys move through the menu, Escape closes it. */
export function ChatMenu({ onPreviousChats, onClose }: ChatMenuProps) {
  const { chat, t } = useChatContext();
  const list = useRef<HTMLDivElement>(null);
  const [preferences, setPreferences] = useState(chat.preferences);
  const { take, note } = useTranscript(onClose);
  const hasChat = chat.getState().conversation.messages.length > 0;

  // Before the menu is seen: an Escape that comes before its focus would close the panel.
  useLayoutEffect(() => list.current?.querySelector("button")?.focus(), []);
  useCloseOutside(list, onClose);

  function change(next: typeof preferences): void {
    chat.setPreferences(next);
    setPreferences(next);
  }

  return (
    <div
      ref={list}
      className={styles["menu"]}
      role="menu"
      aria-label={t.panel.menu}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        else if (!moveFocus(event.currentTarget, event.key)) return;
        // Otherwise Escape would close the panel, and arrow keys would scroll the list.
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Item icon="history" label={t.menu.previousChats} onPress={onPreviousChats} />
      {hasChat && (
        <Item icon="download" label={t.transcript.download} note={note} onPress={() => void take()} />
      )}
      <Item
        icon="sound"
        label={t.menu.sound}
        isOn={preferences.sounds}
        onPress={() => change({ ...preferences, sounds: !preferences.sounds })}
      />
    </div>
  );
}

interface ItemProps {
  icon: IconName;
  label: string;
  /** State of an option that can be turned on and off. */
  isOn?: boolean;
  note?: string | null;
  onPress(): void;
}

function Item({ icon, label, isOn, note = null, onPress }: ItemProps) {
  return (
    <button
      type="button"
      {...(isOn === undefined ? { role: "menuitem" } : { role: "menuitemcheckbox", "aria-checked": isOn })}
      tabIndex={-1}
      onClick={onPress}
    >
      <Icon name={icon} size={18} />
      <span>
        {label}
        {note !== null && <small>{note}</small>}
      </span>
      {isOn === true && <Icon name="check" size={18} />}
    </button>
  );
}

/** Moves the focus for the arrow keys, Home and End. Returns false for other keys. */
function moveFocus(menu: HTMLElement, key: string): boolean {
  const items = [...menu.querySelectorAll("button")];
  const at = items.findIndex((item) => item.matches(":focus"));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
  if (to === undefined) return false;
  items.at(to % items.length)?.focus();
  return true;
}

function useCloseOutside(inside: React.RefObject<HTMLElement | null>, onClose: () => void): void {
  useEffect(() => {
    const onEvent = (event: Event) => {
      // Outside a shadow tree, `event.target` is the tree's host element.
      if (inside.current !== null && !event.composedPath().includes(inside.current)) onClose();
    };
    const stops = [
      listen(document, "pointerdown", onEvent),
      // The chat keeps `focusin` from bubbling to the page.
      listen(document, "focusin", onEvent, { capture: true }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [inside, onClose]);
}
