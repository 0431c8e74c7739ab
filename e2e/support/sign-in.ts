import { expect, type Page } from "@playwright/test";

const emptyPage = "/signing-in";

/**
 * Starts the session of one of the demo's customers, or of a guest where none is named, without loading a page of the
 * shop: from an empty one at the shop's address.
 */
export async function signIn(page: Page, customerId: string | null, shopUrl = ""): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === emptyPage,
    (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Signing in</title>" }),
  );
  await page.goto(shopUrl + emptyPage);
  // 201 with a new session, 200 where the customer has it already.
  expect([200, 201]).toContain(await page.evaluate(startSession, customerId));
}

/** Runs in the page: the session is its own. */
export function startSession(customerId: string | null): Promise<number> {
  return fetch("/api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Chat-Client": "1" },
    body: JSON.stringify(customerId === null ? {} : { customerId }),
  }).then((response) => response.status);
}
