import { expect, onTestFinished, test } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { createFailureOf } from "../failure.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { competeForLead } from "./leadership.ts";
import { createTabs } from "./tabs.ts";

let name = 0;

/** Two tabs of one browser. Both begin hidden. */
function twoTabs() {
  name += 1;
  let isVisible = false;
  const leads = [false, false];
  const tabs = [0, 1].map((index) => {
    const browser = memoryBrowser({ isVisible: () => isVisible });
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
    withdraw: tabs.map(({ withdraw }) => withdraw),
    show(index: number) {
      isVisible = true;
      tabs[index]?.browser.dispatch("return");
      isVisible = false;
    },
  };
}

test("a tab takes the lead when the customer comes to it, the other when that one closes", async () => {
  const { leads, withdraw, show } = twoTabs();
  await expect.poll(() => leads).toEqual([true, false]);
  show(1);
  await expect.poll(() => leads).toEqual([false, true]);
  withdraw[1]?.();
  await expect.poll(() => leads).toEqual([true, false]);
});

test("a leading tab keeps the lead when the customer comes back to it", async () => {
  const { leads, show } = twoTabs();
  await expect.poll(() => leads).toEqual([true, false]);
  show(0);
  await new Promise(setImmediate);
  expect(leads).toEqual([true, false]);
});
