import type { Page } from "@playwright/test";

/** The names of what the browser stores for the page: cookies, and entries of both storages. */
export async function leftIn(page: Page): Promise<string[]> {
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  return [...cookies, ...stored];
}
