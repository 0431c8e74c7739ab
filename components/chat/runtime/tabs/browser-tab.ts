import { createSession, type Session } from "./session.ts";
import { createTabs, type Tabs } from "./tabs.ts";

/** What a page has once, however often its chat mounts. */
export interface BrowserTab {
  tabs: Tabs;
  session: Session;
}

export function createBrowserTab(api: string): BrowserTab {
  const tabs = createTabs();
  return { tabs, session: createSession(tabs, api) };
}
