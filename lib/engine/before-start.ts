/**
 * Whether the chat starts without a press, because it was open on the previous page or has unfinished work:
 * read from the stored entries before the chat is loaded.
 */
import {
  attemptName,
  browserOwner,
  entryRoot,
  messageName,
  openName,
  ownerName,
  stateName,
} from "./first-storage-names.ts";

/** Null if the customer has neither opened nor closed the panel in this tab. */
export function wasOpen(api: string): boolean | null {
  const stored = tryStorage(() => sessionStorage.getItem(entryRoot(api) + openName));
  return stored === null ? null : stored === "1";
}

/** Stored in this tab: a reload or the next page shows the panel as the customer has left it. */
export function rememberOpen(api: string, isOpen: boolean): void {
  tryStorage(() => sessionStorage.setItem(entryRoot(api) + openName, isOpen ? "1" : "0"));
}

/** True if this browser's customer has used the chat before. */
export function hasUsedChat(api: string): boolean {
  return entries(api).some((name) => !name.includes(`:${browserOwner}:`));
}

/**
 * Forgets the owner when the customer changes before this page's chat is loaded and awake. Chats in other
 * tabs notice the removal and ask the server.
 */
export function forgetOwner(api: string): void {
  tryStorage(() => localStorage.removeItem(entryRoot(api) + ownerName));
}

/** True if a message is still to be delivered, or if a chat waits for the team or is with it. */
export function hasPendingWork(api: string): boolean {
  return entries(api).some(isUnfinished);
}

function entries(api: string): string[] {
  const names = tryStorage(() => Object.keys(localStorage)) ?? [];
  return names.filter((name) => name.startsWith(entryRoot(api)));
}

function isUnfinished(name: string): boolean {
  const attempt = name.replace(`:${messageName("")}`, `:${attemptName("")}`);
  if (attempt !== name) return !parsed(attempt)?.refusal;
  return name.includes(`:${stateName("")}`) && parsed(name)?.awaitsTeam === true;
}

/** The entry's value; null if there is none, or none of ours. */
function parsed(name: string): { refusal?: unknown; awaitsTeam?: unknown } | null {
  return tryStorage(() => JSON.parse(localStorage.getItem(name) ?? "null"));
}

/** Storage may be blocked, full, or null in a WebView; then nothing is remembered. */
function tryStorage<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
