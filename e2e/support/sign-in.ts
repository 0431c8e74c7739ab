import { expect, type Page } from "@playwright/test";

const emptyPage = "/signing-in";

/** Opens an empty page at the shop's origin, so that no page of the shop is loaded. */
async function openEmptyPage(page: Page, shopUrl: string): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === emptyPage,
    (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Signing in</title>" }),
    // A remaining route would intercept all requests of the page and turn off the browser's cache.
    { times: 1 },
  );
  await page.goto(shopUrl + emptyPage);
}

/** Signs in as one of the demo's customers, or starts a guest session for null. */
export async function signIn(page: Page, customerId: string | null, shopUrl = ""): Promise<void> {
  await openEmptyPage(page, shopUrl);
  // The shop answers 204; the chat answers 201 for a new guest and 200 for a known one.
  expect([200, 201, 204]).toContain(await page.evaluate(startSession, customerId));
}

/** The shop's own sign-out. */
export async function signOut(page: Page): Promise<void> {
  await openEmptyPage(page, "");
  expect(
    await page.evaluate(async () => (await fetch("/api/shop/session", { method: "DELETE" })).status),
  ).toBe(204);
}

/** Runs in the page, so that the page gets the cookie. */
export function startSession(customerId: string | null): Promise<number> {
  return fetch(customerId === null ? "/api/chat/session" : "/api/shop/session", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Chat-Client": "1" },
    body: JSON.stringify(customerId === null ? {} : { customerId }),
  }).then((response) => response.status);
}
