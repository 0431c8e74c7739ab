import { type BrowserContext, expect, type Page } from "@playwright/test";

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
  // The chat answers 201 for a new guest and 200 for a known one.
  if (customerId === null) expect([200, 201]).toContain(await page.evaluate(startGuestSession));
  else
    await page
      .context()
      .addCookies([{ ...shopCookie, value: `${customerId}~of-this-test`, url: page.url() }]);
}

/** Signs out without a page of the shop, so no chat is told. */
export const signOut = (context: BrowserContext) => context.clearCookies(shopCookie);

/** The cookie of the shop's own sign-in. */
const shopCookie = { name: "shop_session" };

/** Runs in the page, so that the page gets the cookie. */
export function startGuestSession(): Promise<number> {
  return fetch("/api/chat/session", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Chat-Client": "1" },
    body: "{}",
  }).then((response) => response.status);
}
