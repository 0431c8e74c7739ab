/**
 * Decides whether the chat starts without a press: because it was open on the previous page, or because it
 * has unfinished work. Reads what `lib/engine` stores, with as little code as possible.
 */
import { entryRoot } from "../../../lib/engine/entry-root.ts";

/** Null if the customer has neither opened nor closed the panel in this tab. */
export function wasOpen(api: string): boolean | null {
  const stored = tryStorage(() => sessionStorage.getItem(`${entryRoot(api)}open`));
  return stored === null ? null : stored === "1";
}

/** Stored in this tab: a reload or the next page shows the panel as the customer has left it. */
export function rememberOpen(api: string, isOpen: boolean): void {
  tryStorage(() => sessionStorage.setItem(`${entryRoot(api)}open`, isOpen ? "1" : "0"));
}

/** True if this browser's customer has used the chat before. */
export function hasUsedChat(api: string): boolean {
  return entries(api).some((name) => !name.includes(":browser:"));
}

/**
 * For a change of customer before this page's chat is loaded and awake. Chats in other tabs notice the
 * removal and ask the server.
 */
export function forgetOwner(api: string): void {
  tryStorage(() => localStorage.removeItem(`${entryRoot(api)}owner`));
}

/** True if a message is still to be delivered, or if a chat waits for the team or is with it. */
export function hasPendingWork(api: string): boolean {
  return entries(api).some(isUnfinished);
}

function entries(api: string): string[] {
  const names = tryStorage(() => Object.keys(localStorage)) ?? [];
  return names.filter((name) => name.startsWith(entryRoot(api)));
}

function isUnfinished(name: string): boolean | undefined {
  const holds = (entry: string, part: string) => localStorage.getItem(entry)?.includes(part);
  const attempt = name.replace(":message:", ":attempt:");
  if (attempt !== name) return !holds(attempt, '"refusal":{');
  return name.includes(":state:") && holds(name, '"awaitsTeam":true');
}

/** Storage may be blocked, full, or null in a WebView; then nothing is remembered. */
function tryStorage<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
