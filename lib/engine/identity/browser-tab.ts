import { createTabs, type Tabs } from "../tabs/tabs.ts";
import { createSession, type Session } from "./session.ts";

/** The page's connections to other tabs and to the server, which survive remounts of the chat. */
export interface BrowserTab {
  tabs: Tabs;
  session: Session;
}

export function createBrowserTab(api: string): BrowserTab {
  const tabs = createTabs();
  return { tabs, session: createSession(tabs, api) };
}
