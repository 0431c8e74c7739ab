/** The part of a stage that customers see: browsers, their tabs, and what is pressed in them. */
import type { SimulatedBrowser } from "./browser.ts";
import { type PageDeps, SimulatedPage } from "./page.ts";
import type { Press } from "./world.ts";

/** A tab: its page changes with each reload. */
export interface Tab {
  name: string;
  browser: SimulatedBrowser;
  storage: Map<string, string>;
  page: SimulatedPage;
}

export interface CustomerStageOptions extends PageDeps {
  browsers: readonly SimulatedBrowser[];
  /** The version of the host's text that customers must agree to; null for none. */
  consent: string | null;
  /** How the texts of the customers begin. */
  prefix: string;
}

export type CustomerStage = ReturnType<typeof createCustomerStage>;

export function createCustomerStage({ browsers, consent, prefix, ...deps }: CustomerStageOptions) {
  const { scheduler } = deps;
  const presses: Press[] = [];
  const tabs: Tab[] = [];
  const pages: SimulatedPage[] = [];
  const counts = { tabs: 0, texts: 0 };

  function openPage(
    tab: Pick<Tab, "name" | "browser" | "storage"> & { page?: SimulatedPage },
    isVisible: boolean,
  ): SimulatedPage {
    const page = new SimulatedPage(deps, {
      name: `${tab.name}${tab.page === undefined ? "" : " reloaded"}`,
      browser: tab.browser,
      tab: tab.storage,
      isVisible,
      replaces: tab.page ?? null,
      locale: "en",
      consent,
    });
    pages.push(page);
    page.chat.start();
    return page;
  }

  function hideOthers(browser: SimulatedBrowser, front?: SimulatedPage): void {
    for (const { page, browser: of } of tabs)
      if (of === browser && page !== front && page.life === "open" && page.isVisible)
        scheduler.schedule(page.actor, 0, "is hidden", () => page.setVisible(false));
  }

  return {
    scheduler,
    browsers,
    tabs,
    pages,
    presses,
    hideOthers,
    openTab(browser: SimulatedBrowser, storage = new Map<string, string>()): Tab {
      counts.tabs += 1;
      const named = { name: `tab ${counts.tabs} of ${browser.name}`, browser, storage };
      hideOthers(browser);
      const tab: Tab = { ...named, page: openPage(named, true) };
      tabs.push(tab);
      return tab;
    },
    reload(tab: Tab): void {
      const { isVisible } = tab.page;
      tab.page.discard();
      tab.page = openPage(tab, isVisible);
    },
    online(browser: SimulatedBrowser): void {
      browser.state.isOnline = true;
      for (const { page, browser: of } of tabs)
        if (of === browser && page.life === "open")
          scheduler.schedule(page.actor, 0, "is online", () => page.dispatch("online"));
    },
    /** A text that no other message has. */
    newText(word: string) {
      counts.texts += 1;
      return `${prefix}${counts.texts}${word === "" ? "" : ` ${word}`}`;
    },
    /** Pages that run. */
    openPages: () => pages.filter((page) => page.life === "open" && !page.actor.isFrozen),
    /** The page of each browser that the customer looks at. */
    pagesInFront: () =>
      browsers.flatMap((browser) => {
        const page = pages.find(
          (one) => one.options.browser === browser && one.isVisible && one.life === "open",
        );
        return page === undefined ? [] : [page];
      }),
  };
}
