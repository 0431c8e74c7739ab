/** `shop-chat/testing`: a browser and a chat server in memory, for unit tests (docs/headless.md). */
import type { Browser } from "../browser/browser.ts";
import type { ChatEngine } from "../chat.ts";
import type { ChatState } from "../state/state.ts";
import { type MemoryBrowser, memoryTab } from "./memory-tab.ts";

export {
  aCollection,
  aField,
  aFile,
  aMessage,
  anOffer,
  anOrder,
  aProduct,
} from "../../chat-api/testing/builders.ts";
export type { MemoryBrowser } from "./memory-tab.ts";
export { type ScriptedServer, scriptedServer } from "./scripted-server.ts";

/** A tab in memory, for the `browser` of `createChat`. Tabs with the same `local` are of one browser. */
export const memoryBrowser = (overrides: Partial<Browser> = {}): MemoryBrowser => memoryTab(overrides);

/** Resolves with the first state that fits. A test runner's time limit says when none does. */
export function untilState(
  { getState, subscribe }: ChatEngine,
  fits: (state: ChatState) => boolean,
): Promise<ChatState> {
  return new Promise((resolve) => {
    const stop = subscribe(check);
    function check(): void {
      const state = getState();
      if (!fits(state)) return;
      stop();
      resolve(state);
    }
    check();
  });
}
