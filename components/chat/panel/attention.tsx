import { useEffect, useRef } from "react";
import type { Message } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { authorName } from "../author-name.ts";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { counted } from "../i18n/strings.ts";
import { allowed } from "../menu/notifications.ts";
import { spokenMessage } from "./announcement-text.ts";
import { newestUnalerted, titleWith, titleWithout } from "./unread-alert.ts";

export interface AttentionProps {
  /** The agent's and the team's messages that the customer has not seen; never empty. */
  unread: readonly Message[];
  /** One tab of the browser plays the sound and shows notifications; all change their titles. */
  isLeading: boolean;
  onOpen(): void;
}

/**
 * Alerts a customer who is looking elsewhere: changes the page's title, and plays a sound or shows a
 * notification if the customer wants that.
 */
export function Attention({ unread, isLeading, onOpen }: AttentionProps) {
  const chat = useChatContext();
  const { t, format } = chat;
  useTitle(counted(t.messages.newBelow, unread.length, format));

  const alerted = useRef<ReadonlySet<string>>(new Set());
  const shown = useRef<Notification>(null);
  // The messages are read, or their customer has gone.
  useEffect(() => () => shown.current?.close(), []);
  useEffect(() => {
    const latest = newestUnalerted(unread, alerted.current);
    if (latest === undefined) return;
    alerted.current = new Set(unread.map(({ id }) => id));
    if (!isLeading) return;
    const { sounds, notifies } = allowed(chat.chat.preferences());
    if (sounds) playSound();
    if (notifies && document.visibilityState === "hidden") shown.current = notify(latest, chat, onOpen);
  }, [unread, isLeading, chat, onOpen]);
  return null;
}

/** Puts the number of unread messages before the page's title, and keeps it there when the title changes. */
function useTitle(news: string): void {
  useEffect(() => {
    const apply = () => {
      // Assigns only a real change, because each assignment triggers the observer again.
      const title = titleWith(news, document.title);
      if (title !== document.title) document.title = title;
    };
    apply();
    // The next page of the shop sets its own title.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = titleWithout(news, document.title);
    };
  }, [news]);
}

/**
 * Two soft tones. Silent until the customer has interacted with the page: browsers block sound before that.
 */
function playSound(): void {
  const audio = new AudioContext();
  [660, 880].forEach((pitch, index) => {
    const at = audio.currentTime + index * 0.12;
    const tone = new OscillatorNode(audio, { frequency: pitch, type: "sine" });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.12, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.32);
  });
  setTimeout(() => void audio.close().catch(reportError), 1_000);
}

function notify(message: Message, chat: ChatContextValue, onOpen: () => void): Notification | null {
  const name = authorName(message, chat);
  try {
    const notification = new Notification(name, {
      body: (hasVisibleText(message.text) ? message.text : spokenMessage(message, chat)).slice(0, 200),
      // The same tag replaces the previous notification.
      tag: "shop-chat",
    });
    notification.onclick = () => {
      window.focus();
      onOpen();
      notification.close();
    };
    return notification;
  } catch (error) {
    // Chrome on Android throws: it shows notifications only through service workers.
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}
