import { expect, onTestFinished, test, vi } from "vitest";
import { competeForLead } from "./leadership.ts";
import { createTabs } from "./tabs.ts";

let name = 0;

/** Two tabs of one browser: each becomes visible or hidden by its own function. Both begin hidden. */
function twoTabs() {
  name += 1;
  const listeners: (() => void)[] = [];
  const page = { visibilityState: "hidden" };
  vi.stubGlobal("document", {
    get visibilityState() {
      return page.visibilityState;
    },
    addEventListener: (_: string, listener: () => void) => void listeners.push(listener),
    removeEventListener: (_: string, listener: () => void) =>
      void listeners.splice(listeners.indexOf(listener), 1, () => undefined),
  });
  vi.stubGlobal("reportError", (error: unknown) => expect.unreachable(String(error)));
  const tabs = createTabs();
  const leads = [false, false];
  const withdraw = [0, 1].map((index) =>
    competeForLead(tabs, `poll:${name}`, (now) => {
      leads[index] = now;
    }),
  );
  onTestFinished(() => {
    for (const end of withdraw) end();
    tabs.close();
  });
  return {
    leads,
    withdraw,
    show(index: number) {
      page.visibilityState = "visible";
      listeners[index]?.();
      page.visibilityState = "hidden";
    },
  };
}

test("a tab takes the lead when it becomes visible, the other when that one closes", async () => {
  const { leads, withdraw, show } = twoTabs();
  await expect.poll(() => leads).toEqual([true, false]);
  show(1);
  await expect.poll(() => leads).toEqual([false, true]);
  withdraw[1]?.();
  await expect.poll(() => leads).toEqual([true, false]);
});

test("a leading tab keeps the lead when it becomes visible", async () => {
  const { leads, show } = twoTabs();
  await expect.poll(() => leads).toEqual([true, false]);
  show(0);
  await new Promise(setImmediate);
  expect(leads).toEqual([true, false]);
});
