/**
 * What the closed chat looks at before it loads anything: whether it was open before this page, and whether something
 * is left to do in the background. Reads the same storage as `runtime/storage.ts`, with as little code as possible.
 */

const openName = "shop-chat:1:open";

export function wasOpen(): boolean {
  return attempt(() => sessionStorage.getItem(openName)) !== null;
}

/** In this tab, until it is closed: a reload or the next page shows the chat again. */
export function rememberOpen(isOpen: boolean): void {
  attempt(() => (isOpen ? sessionStorage.setItem(openName, "1") : sessionStorage.removeItem(openName)));
}

/** Another customer has come, and this page's chat is not there to ask who: those of other tabs hear of it and do. */
export function forgetOwner(): void {
  attempt(() => localStorage.removeItem("shop-chat:1:owner"));
}

/** A message whose outcome is unknown, or a chat that waits for the team. */
export function hasUnfinishedBusiness(): boolean {
  return (
    attempt(() =>
      Object.keys(localStorage).some(
        (name) =>
          name.startsWith("shop-chat:1:") &&
          ((name.endsWith(":outbox") && localStorage.getItem(name)?.includes('"refusal":null')) ||
            (name.endsWith(":chats") && localStorage.getItem(name)?.includes('"awaitsTeam":true'))),
      ),
    ) === true
  );
}

/** Storage may be forbidden or full: then nothing is remembered. */
function attempt<T>(use: () => T): T | null {
  try {
    return use();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
