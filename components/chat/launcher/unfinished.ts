/**
 * Decides whether the chat starts without a press: because it was open on the previous page, or because it
 * has unfinished work. Reads what `lib/engine` stores, with as little code as possible.
 */

const openName = "shop-chat:1:open";

/** Undefined if the customer has neither opened nor closed the panel in this tab. */
export function wasOpen(): boolean | undefined {
  const stored = tryStorage(() => sessionStorage.getItem(openName));
  return stored === null ? undefined : stored === "1";
}

/** Stored in this tab: a reload or the next page shows the panel as the customer has left it. */
export function rememberOpen(isOpen: boolean): void {
  tryStorage(() => sessionStorage.setItem(openName, isOpen ? "1" : "0"));
}

/** True if this browser's customer has used the chat before. */
export function hasUsedChat(): boolean {
  return hasEntry((name) => !name.startsWith("shop-chat:1:browser:"));
}

/**
 * For a change of customer before this page's chat is loaded and awake. Chats in other tabs notice the
 * removal and ask the server.
 */
export function forgetOwner(): void {
  tryStorage(() => localStorage.removeItem("shop-chat:1:owner"));
}

/** True if a message is still to be delivered, or if a chat waits for the team or is with it. */
export function hasPendingWork(): boolean {
  return hasEntry(isUnfinished);
}

function hasEntry(is: (name: string) => boolean): boolean {
  const isOurs = (name: string) => name.startsWith("shop-chat:1:") && is(name);
  return tryStorage(() => Object.keys(localStorage).some(isOurs)) === true;
}

function isUnfinished(name: string): boolean {
  const holds = (entry: string, part: string) => localStorage.getItem(entry)?.includes(part) === true;
  if (name.includes(":message:")) return !holds(name.replace(":message:", ":attempt:"), '"refusal":{');
  if (name.includes(":state:")) return holds(name, '"awaitsTeam":true');
  // Earlier versions kept all messages, and all chats, in one entry.
  if (name.endsWith(":outbox")) return holds(name, '"refusal":null');
  return name.endsWith(":chats") && holds(name, '"awaitsTeam":true');
}

/** Storage may be blocked or full; then nothing is remembered. */
function tryStorage<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
