import { useEffect, useRef } from "react";
import type { Message } from "../../../lib/chat-api/message.ts";
import { useChatContext } from "../chat-context.ts";
import { counted } from "../i18n/strings.ts";

export interface AttentionProps {
  /** The agent's and the team's messages that the customer has not seen; never empty. */
  unread: readonly Message[];
  /** One tab of the browser plays the sound; all change their titles. */
  isLeading: boolean;
}

/**
 * Alerts a customer who is looking elsewhere: changes the page's title, and plays a sound if the customer
 * wants that.
 */
export function Attention({ unread, isLeading }: AttentionProps) {
  const { chat, t, format } = useChatContext();
  useTitle(counted(t.messages.newBelow, unread.length, format));

  const alerted = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const latest = newestUnalerted(unread, alerted.current);
    if (latest === undefined) return;
    alerted.current = new Set(unread.map(({ id }) => id));
    if (isLeading && chat.preferences().sounds) playSound();
  }, [unread, isLeading, chat]);
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

const prefixOf = (news: string) => `(${news}) `;

/** The page's title with the unread count before it, once. */
export function titleWith(news: string, title: string): string {
  return title.startsWith(prefixOf(news)) ? title : prefixOf(news) + title;
}

/** The page's title without the unread count, whichever script has set it since. */
export function titleWithout(news: string, title: string): string {
  return title.startsWith(prefixOf(news)) ? title.slice(prefixOf(news).length) : title;
}

/**
 * The newest message for which there was no alert yet; undefined if there is none. It is not always the last
 * one: it may have arrived above others.
 */
export function newestUnalerted<Message extends { id: string }>(
  unread: readonly Message[],
  alerted: ReadonlySet<string>,
): Message | undefined {
  return unread.findLast(({ id }) => !alerted.has(id));
}
