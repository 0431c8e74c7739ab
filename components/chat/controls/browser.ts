import { useSyncExternalStore } from "react";
import { listen } from "../../../lib/engine/listen.ts";
import { mediaQuery } from "../appearance/media-query.ts";

const subscribe = (listener: () => void) => listen(window, "online offline", listener);

/** False only when the browser is certain to be offline. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

/** Resolves when the browser is online: at once, unless it is certain to be offline. */
export async function whenOnline(): Promise<void> {
  if (navigator.onLine) return;
  await new Promise((resolve) => window.addEventListener("online", resolve, { once: true }));
}

/**
 * True on phones and tablets, where focus in a text field raises a keyboard over the conversation. Whether
 * they can hover decides nothing: some phones say so, and some call their touch screen a fine pointer.
 */
export function hasOnScreenKeyboard(): boolean {
  return mediaQuery("(pointer: coarse)")?.matches === true || /Mobi|Android/.test(navigator.userAgent);
}
