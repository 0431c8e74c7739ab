import { expect, onTestFinished, test, vi } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import type { Browser } from "../browser/browser.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { createTabs } from "./tabs.ts";

/** A tab, and the messages that it posts. */
function aTab(overrides: Partial<Browser> = {}) {
  const browser = memoryBrowser(overrides);
  const posted: unknown[] = [];
  const opened: BroadcastChannel[] = [];
  const closing = new AbortController();
  const tabs = createTabs(
    {
      ...browser,
      openChannel(name) {
        const channel = browser.openChannel(name);
        if (channel !== null) opened.push(channel);
        const post = channel?.postMessage.bind(channel);
        return (
          channel &&
          Object.assign(channel, {
            postMessage(message: object) {
              posted.push(message);
              post?.(message);
            },
          })
        );
      },
    },
    defaultBasePath,
    closing.signal,
  );
  const close = () => closing.abort();
  onTestFinished(close);
  return { browser, tabs, close, posted, opened };
}

/** Holds the name until the returned function is called, or the name is lost. */
function hold({ tabs }: ReturnType<typeof aTab>, name: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = { has: false, isLost: false, release };
  void tabs.exclusively(name, async (lost) => {
    holding.has = true;
    lost.addEventListener("abort", () => {
      holding.isLost = true;
      release();
    });
    await released;
    holding.has = false;
  });
  return holding;
}

/** A tab that a dialog of its page has stopped: it hears nothing. */
const deaf = { openChannel: () => null };

test("a tab that a dialog has stopped loses the name, which it waits for again", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const stopped = hold(aTab(deaf), "send:chat");
  await expect.poll(() => stopped.has).toBe(true);
  const waiting = hold(aTab(), "send:chat");
  await new Promise(setImmediate);
  vi.advanceTimersByTime(5_000);
  expect(waiting.has).toBe(false);
  vi.advanceTimersByTime(2_500);
  await expect.poll(() => [waiting.has, stopped.isLost]).toEqual([true, true]);
});

test("a holder that answers keeps the name", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const tab = aTab();
  const holding = hold(tab, "send:chat");
  await expect.poll(() => holding.has).toBe(true);
  const waiting = hold(aTab(), "send:chat");
  await new Promise(setImmediate);
  for (let asked = 1; asked <= 6; asked += 1) {
    vi.advanceTimersByTime(2_500);
    await expect.poll(() => tab.posted).toHaveLength(asked);
  }
  expect([holding.has, waiting.has]).toEqual([true, false]);
  holding.release();
  await expect.poll(() => waiting.has).toBe(true);
});

test("opens its channel with the first use, and no longer has it or a lock in the browser's cache", async () => {
  const tab = aTab();
  const other = aTab();
  expect(tab.opened).toEqual([]);
  const [first, second] = [hold(tab, "poll:chat"), hold(other, "poll:chat")];
  await expect.poll(() => first.has).toBe(true);
  tab.browser.dispatch("pagehide");
  await expect.poll(() => [first.isLost, second.has]).toEqual([true, true]);
  const third = hold(tab, "poll:chat");
  second.release();
  await expect.poll(() => second.has).toBe(false);
  expect(third.has).toBe(false);
  tab.browser.dispatch("pageshow");
  await expect.poll(() => third.has).toBe(true);
  expect(tab.opened).toHaveLength(2);
});

test("ignores what another build posts in another tab", async () => {
  const tab = aTab();
  const holding = hold(tab, "send:chat");
  await expect.poll(() => holding.has).toBe(true);
  const [name = ""] = tab.opened.map((channel) => channel.name);
  const other = new BroadcastChannel(name);
  onTestFinished(() => other.close());
  const answers: unknown[] = [];
  other.addEventListener("message", ({ data }) => void answers.push(data));
  for (const message of [null, "hello", { type: "applauded", times: 3 }, { type: "ask", name: "send:chat" }])
    other.postMessage(message);
  await expect.poll(() => answers).toEqual([{ type: "alive", name: "send:chat" }]);
});

test("a closed tab gives up its names, and rejects who waits for one or asks for one", async () => {
  const closed = aTab();
  const [holding, other] = [hold(closed, "poll:chat"), hold(aTab(), "send:chat")];
  await expect.poll(() => [holding.has, other.has]).toEqual([true, true]);
  const ask = () => closed.tabs.exclusively("send:chat", async () => undefined);
  const waiting = ask();
  closed.close();
  expect(holding.isLost).toBe(true);
  await expect(waiting).rejects.toThrow("closed");
  await expect(ask()).rejects.toThrow("closed");
});

test("a tab that closes in the browser's cache rejects who waits there", async () => {
  const closed = aTab();
  closed.browser.dispatch("pagehide");
  const waiting = closed.tabs.exclusively("send:chat", async () => undefined);
  closed.close();
  await expect(waiting).rejects.toThrow("closed");
});
