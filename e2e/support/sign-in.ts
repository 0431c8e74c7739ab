import { expect, type Page } from "@playwright/test";

const emptyPage = "/signing-in";

/**
 * Signs in as one of the demo's customers, or starts as a guest where none is named, without loading a page
 * of the shop: from an empty one at the shop's address.
 */
export async function signIn(page: Page, customerId: string | null, shopUrl = ""): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === emptyPage,
    (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Signing in</title>" }),
  );
  await page.goto(shopUrl + emptyPage);
  // 204 from the shop, 201 with a new guest, 200 with one who was there.
  expect([200, 201, 204]).toContain(await page.evaluate(startSession, customerId));
}

/** Under what the chat keeps a customer's things in the browser: the server's name for them. */
export const customerTag = /^[\w-]{16}$/;

/** The shop's own sign-out. */
export async function signOut(page: Page): Promise<void> {
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
