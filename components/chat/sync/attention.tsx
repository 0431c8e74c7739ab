import { useEffect, useRef } from "react";
import type { Message } from "#lib/chat-api/message.ts";
import { authorName } from "../author-name.ts";
import { type ChatContextValue, useChat } from "../chat-context.ts";
import { counted, fill } from "../i18n/strings.ts";
import { readPreferences } from "../menu/preferences.ts";

export interface AttentionProps {
  unread: number;
  /** The newest message of the other side. */
  latest: Message | null;
  /** One tab of the browser calls by sound and notification; all by their titles. */
  isLeading: boolean;
  onOpen(): void;
}

/** Calls the customer who is looking elsewhere: the page's title, and a sound or a notification if they asked for it. */
export default function Attention({ unread, latest, isLeading, onOpen }: AttentionProps) {
  const chat = useChat();
  const { t, format } = chat;
  useTitle(unread > 0 ? counted(t.messages.newBelow, unread, format) : null);

  const calledFor = useRef<string | null>(null);
  useEffect(() => {
    if (latest === null || unread === 0 || calledFor.current === latest.id) return;
    calledFor.current = latest.id;
    if (!isLeading) return;
    const { sounds, notifies } = readPreferences();
    if (sounds) playSound();
    if (notifies && document.visibilityState === "hidden") notify(latest, chat, onOpen);
  }, [latest, unread, isLeading, chat, onOpen]);
  return null;
}

/** The page's own title comes back when there is nothing to say, whatever it has become meanwhile. */
function useTitle(news: string | null): void {
  useEffect(() => {
    if (news === null) return;
    const prefix = `(${news}) `;
    const apply = () => {
      const isAway = document.visibilityState === "hidden";
      const bare = document.title.startsWith(prefix) ? document.title.slice(prefix.length) : document.title;
      document.title = isAway ? prefix + bare : bare;
    };
    apply();
    document.addEventListener("visibilitychange", apply);
    return () => {
      document.removeEventListener("visibilitychange", apply);
      if (document.title.startsWith(prefix)) document.title = document.title.slice(prefix.length);
    };
  }, [news]);
}

/** Two soft tones. Silent until the customer has touched the page: browsers allow no sound before. */
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

function notify(message: Message, chat: ChatContextValue, onOpen: () => void): void {
  const name = authorName(message, chat);
  try {
    const notification = new Notification(fill(chat.t.messages.said, { name }), {
      body: message.text.slice(0, 200),
      // A newer one takes the place of an older one.
      tag: "shop-chat",
    });
    notification.onclick = () => {
      window.focus();
      onOpen();
      notification.close();
    };
  } catch (error) {
    // Browsers of phones throw: they show notifications through service workers only.
    if (!(error instanceof TypeError)) throw error;
  }
}
