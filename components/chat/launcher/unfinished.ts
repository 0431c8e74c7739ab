/**
 * Decides whether the chat starts without a press: because it was open on the previous page, or because it
 * has unfinished work. Reads what `lib/engine` stores, with as little code as possible.
 */

const openName = "shop-chat:1:open";

export function wasOpen(): boolean {
  return tryStorage(() => sessionStorage.getItem(openName)) !== null;
}

/** Stored in this tab while the panel is open: a reload or the next page shows the chat again. */
export function rememberOpen(isOpen: boolean): void {
  tryStorage(() => (isOpen ? sessionStorage.setItem(openName, "1") : sessionStorage.removeItem(openName)));
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
  return (
    tryStorage(() =>
      Object.keys(localStorage).some((name) => name.startsWith("shop-chat:1:") && isUnfinished(name)),
    ) === true
  );
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
