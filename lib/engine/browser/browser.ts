import type { Fetch } from "../../chat-client/connection.ts";

/** The engine's view of the browser, apart from what Node has, too. `page-browser.ts` is the real one. */
export interface Browser {
  fetch: Fetch;
  /** `fetch` with upload progress, in bytes. Rejects as `fetch` does. */
  fetchWithProgress(onProgress: (sent: number, total: number) => void): Fetch;
  /** A picture that is too large to send, made smaller if possible. */
  shrinkPicture(file: File): Promise<File>;
  /** Storage that outlives the page, and storage of this tab. */
  local: StorageArea;
  tab: StorageArea;
  /** Undefined on pages without a secure context. */
  locks: Pick<LockManager, "request"> | undefined;
  /** Messages with which tabs ask for the holder of a lock. Null where the browser denies them. */
  openChannel(name: string): BroadcastChannel | null;
  /** False only when the browser is certain to be offline. */
  isOnline(): boolean;
  isVisible(): boolean;
  /**
   * `online`: the network has returned. `visibility`: the tab was shown or hidden. `return`: the customer has
   * come back from another tab or window. `pagehide`, `pageshow`: the page goes into the back/forward cache,
   * comes back. Each `on…` returns a function that unsubscribes.
   */
  on(event: BrowserEvent, listener: () => void): () => void;
  /** Calls back with the entry's name after another tab has written to `local`. */
  onStored(listener: (name: string) => void): () => void;
  /** Calls back before the next frame is drawn. Returns a function that cancels. */
  beforeFrame(act: () => void): () => void;
  /** False for an address at another origin than the page's. */
  isOwnOrigin(address: string): boolean;
  /** True on a developer's own machine: error messages may then explain the server's configuration. */
  isLoopback: boolean;
}

export type BrowserEvent = "online" | "visibility" | "return" | "pagehide" | "pageshow";

/** Its methods throw a DOMException where the browser's storage is blocked or full. */
export interface StorageArea {
  read(name: string): string | null;
  /** Null removes the entry. */
  write(name: string, value: string | null): void;
  names(): readonly string[];
}
