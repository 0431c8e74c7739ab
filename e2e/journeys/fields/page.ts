/** Reads a page's text and its browser's storage. */
import type { Locator, Page } from "@playwright/test";

export async function textOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? "";
}

/** The current chats in this browser's local storage. */
export const rememberedChats = (page: Page): Promise<string> =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => name.endsWith(":current"))
      .map((name) => localStorage.getItem(name))
      .join(),
  );
