import { expect, onTestFinished, test, vi } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { createFailureOf } from "../failure.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { competeForLead } from "./leadership.ts";
import { createTabs } from "./tabs.ts";

let name = 0;

/** Tabs of one browser, which begin hidden. */
function someTabs(count = 2) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  name += 1;
  const visible: boolean[] = [];
  const leads: boolean[] = Array(count).fill(false);
  const tabs = leads.map((_, index) => {
    const browser = memoryBrowser({ isVisible: () => visible[index] === true });
    const withdrawal = new AbortController();
    const { signal } = withdrawal;
    const connection = createTabs(browser, defaultBasePath, signal);
    competeForLead(
      { browser, tabs: connection, failureOf: createFailureOf(), signal },
      `poll:${name}`,
      (now) => {
        leads[index] = now;
      },
    );
    const withdraw = () => withdrawal.abort();
    onTestFinished(withdraw);
    return { browser, withdraw };
  });
  return {
    leads,
    /** Waits until so many tabs have received the offer, then passes the time after which they take it. */
    async takeOffer(tabsThatReceive: number) {
      await expect.poll(() => vi.getTimerCount()).toBe(tabsThatReceive);
      vi.advanceTimersByTime(100);
      await new Promise(setImmediate);
    },
    withdraw: tabs.map(({ withdraw }) => withdraw),
    show(index: number) {
      visible[index] = true;
      tabs[index]?.browser.dispatch("visibility");
      tabs[index]?.browser.dispatch("return");
    },
    hide(index: number) {
      visible[index] = false;
      tabs[index]?.browser.dispatch("visibility");
    },
  };
}

test("a tab takes the lead when the customer comes to it, the other when that one closes", async () => {
  const { leads, withdraw, show } = someTabs();
  await expect.poll(() => leads).toEqual([true, false]);
  show(1);
  await expect.poll(() => leads).toEqual([false, true]);
  withdraw[1]?.();
  await expect.poll(() => leads).toEqual([true, false]);
});

test("a leading tab keeps the lead when the customer comes back to it", async () => {
  const { leads, show } = someTabs();
  await expect.poll(() => leads).toEqual([true, false]);
  show(0);
  await new Promise(setImmediate);
  expect(leads).toEqual([true, false]);
});

test("a hidden leader leaves the lead to a visible tab, and keeps it while there is none", async () => {
  const { leads, show, hide, takeOffer } = someTabs();
  await expect.poll(() => leads).toEqual([true, false]);
  await takeOffer(1);
  expect(leads).toEqual([true, false]);
  show(1);
  await expect.poll(() => leads).toEqual([false, true]);
  // A dialog had stopped the first: it hears late of its return, and later that it is hidden.
  show(0);
  await expect.poll(() => leads).toEqual([true, false]);
  hide(0);
  await takeOffer(1);
  await expect.poll(() => leads).toEqual([false, true]);
  hide(1);
  await takeOffer(1);
  expect(leads).toEqual([false, true]);
});

test("a hidden tab that waited longer leaves the lead to a visible one", async () => {
  const { leads, withdraw, show, takeOffer } = someTabs(3);
  await expect.poll(() => leads).toEqual([true, false, false]);
  await takeOffer(2);
  show(2);
  await expect.poll(() => leads).toEqual([false, false, true]);
  show(0);
  await expect.poll(() => leads).toEqual([true, false, false]);
  withdraw[0]?.();
  await expect.poll(() => leads).toEqual([false, true, false]);
  await takeOffer(1);
  await expect.poll(() => leads).toEqual([false, false, true]);
});
