/**
 * Decides whether the chat starts without a press: because it was open on the previous page, or because it
 * has unfinished work. Reads what `runtime/storage/storage.ts` stores, with as little code as possible.
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
      Object.keys(localStorage).some(
        (name) =>
          name.startsWith("shop-chat:1:") &&
          ((name.endsWith(":outbox") && localStorage.getItem(name)?.includes('"refusal":null')) ||
            (name.endsWith(":chats") && localStorage.getItem(name)?.includes('"awaitsTeam":true'))),
      ),
    ) === true
  );
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
