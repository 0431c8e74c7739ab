/** What a page shows, and what its browser keeps. */
import type { Locator, Page } from "@playwright/test";

export async function textOf(place: Locator): Promise<string> {
  return (await place.textContent()) ?? "";
}

/** What this browser remembers of the chat that is on screen. */
export const rememberedChats = (page: Page): Promise<string> =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => name.endsWith(":current"))
      .map((name) => localStorage.getItem(name))
      .join(),
  );
