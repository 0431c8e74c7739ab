/** The shop's pages, by roles and labels, in a real browser. */
import type { Locator, Page } from "@playwright/test";
import { violationsOf, wcag } from "../support/accessibility.ts";
import { aChat, expect, test } from "../support/chat-page.ts";
import { customerTag } from "../support/sign-in.ts";

const pages = [
  "/",
  "/products",
  "/products/fell-2-gravel-bike",
  "/help?q=ireland",
  "/help/cycle-to-work",
  "/ar/help/delivery",
  "/stores",
  "/orders",
  "/account",
  "/try",
];

/** The filters beside the catalogue; on a phone a collapsed panel above it. */
async function filtersOf(page: Page): Promise<Locator> {
  const folded = page.locator("summary", { hasText: "Search and filter" });
  if (!(await folded.isVisible())) return page.getByRole("complementary", { name: "Search and filter" });
  await folded.click();
  return page.getByRole("group").filter({ has: folded });
}

test("every page is accessible and has one main heading", { tag: "@viewports" }, async ({ page }) => {
  test.slow();
  for (const path of pages) {
    await page.goto(path);
    await expect.soft(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
    expect.soft(await violationsOf(page, { tags: [...wcag, "best-practice"] }), path).toEqual([]);
  }
});

test.describe("in the dark scheme", () => {
  test.use({ colorScheme: "dark" });
  test("every page has enough contrast", { tag: "@viewports" }, async ({ page }) => {
    test.slow();
    for (const path of pages) {
      await page.goto(path);
      const colours = { tags: ["cat.color"], without: ["color-contrast-enhanced"] };
      expect.soft(await violationsOf(page, colours), path).toEqual([]);
    }
  });
});

test("every page fits a 320-pixel screen", async ({ page }) => {
  for (const path of [...pages, "/products/everything-bikepacking-bundle", "/de/help/warranty"]) {
    await page.goto(path);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(overflow, `${path} at ${width}`).toBe(0);
    }
  }
});

test("filters the catalogue and puts the filters into the URL", async ({ page }) => {
  await page.goto("/products");
  const filters = await filtersOf(page);
  await filters.getByLabel("Category").selectOption("Helmets");
  await expect(page).toHaveURL("/products?category=helmets");
  await expect(page.getByText("3 products")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Helmets" })).toBeVisible();

  await filters.getByLabel("In stock").check();
  await expect(page.getByText("1 product", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Kestrel helmet" })).toBeVisible();

  await page.getByRole("link", { name: "Without Helmets" }).click();
  await expect(page).toHaveURL("/products?stock=1");
  await expect(filters.getByLabel("Category")).toHaveValue("");
});

test("offers the chat with a draft when a search finds nothing", async ({ page, chat }) => {
  await page.goto("/products");
  const filters = await filtersOf(page);
  await filters.getByLabel("Search the shop").fill("canoe");
  await filters.getByLabel("Search the shop").press("Enter");
  await expect(page.getByText("Nothing fits all of that.")).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Ask Wren" }).click();
  await expect(chat.composer).toHaveValue("Do you have canoe?");
});

test("works without JavaScript: filters and help", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  await page.goto("/products");
  const filters = await filtersOf(page);
  await filters.getByLabel("Category").selectOption("Helmets");
  await filters.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("3 products")).toBeVisible();
  await page.goto("/help");
  await page.getByLabel("What would you like to know?").fill("ireland");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("link", { name: /Delivery › Ireland/ })).toBeVisible();
  await context.close();
});

test("shows the card's facts on the product page and in its JSON-LD", async ({ page }) => {
  await page.goto("/products?category=bikes");
  await page.getByRole("link", { name: "Fell 2 gravel bike" }).click();
  await expect(page).toHaveURL("/products/fell-2-gravel-bike");
  const main = page.getByRole("main");
  await expect(main.getByText("£1,899").first()).toBeVisible();
  await expect(main.getByText("£2,199").first()).toBeVisible();
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
  expect(data).toMatchObject({
    "@type": "Product",
    name: "Fell 2 gravel bike",
    offers: { lowPrice: 1899, priceCurrency: "GBP", availability: "https://schema.org/InStock" },
  });
  expect(data.offers.url).toMatch(/^http:\/\/localhost:\d+\/products\/fell-2-gravel-bike$/);
});

test("prices keep the decimals of their currency", async ({ page }) => {
  await page.goto("/products");
  const priceOf = (name: string) =>
    page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });
  await expect(priceOf("Wick 900 lamp")).toContainText("¥12,800");
  await expect(priceOf("Stell 18 multitool")).toContainText(/KWD\s24\.500/);
  await expect(priceOf("Inner tube 700 × 28–38")).toContainText("£0.99");
  await expect(priceOf("Sticker pack")).toContainText("Free");
  await expect(priceOf("Workshop service “Gold”")).toContainText("Price on request");
  await expect(priceOf("Workshop service “Gold”").getByRole("link")).toHaveCount(0);
});

test("replaces a picture that fails to load with a text", async ({ page }) => {
  await page.goto("/products/enamel-mug");
  await expect(page.getByRole("main").getByText("Picture to follow").first()).toBeVisible();
});

test("shows markup in a title as text", async ({ page }) => {
  await page.goto("/products/everything-bikepacking-bundle");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("<b>2026</b>");
});

test("finds help by a word and links to the section", async ({ page }) => {
  await page.goto("/help");
  await page.getByLabel("What would you like to know?").fill("irland");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: /Delivery › Ireland/ }).click();
  await expect(page).toHaveURL("/help/delivery#ireland");
  await expect(page.getByRole("heading", { name: /^Ireland/, level: 2 })).toBeInViewport();
});

test("gives headings in other scripts a fragment ID", async ({ page }) => {
  await page.goto(`/ar/help/delivery#${encodeURIComponent("أيرلندا")}`);
  const heading = page.getByRole("heading", { level: 2, name: "أيرلندا" });
  await expect(heading).toBeInViewport();
  await expect(heading).toHaveCSS("direction", "rtl");
});

for (const [question, heading] of [
  ["Do you deliver to Ireland?", "Ireland"],
  ["هل توصلون إلى أيرلندا؟", "أيرلندا"],
] as const) {
  test(`links a source to the quoted section: ${heading}`, { tag: "@ours" }, async ({ page, chat }) => {
    await chat.open();
    const reply = await chat.ask(question);
    await reply.getByText(/sources?$/).click();
    const source = reply.getByRole("listitem").getByRole("link").first();
    await page.goto((await source.getAttribute("href")) ?? "");
    await expect(page.getByRole("heading", { level: 2, name: new RegExp(`^${heading}`) })).toBeInViewport();
  });
}

test("links a help page to its other languages", async ({ page }) => {
  await page.goto("/help/returns");
  await page.getByRole("link", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rückgabe und Erstattung" })).toBeVisible();
});

test("finds an order only by its reference and e-mail address together", async ({ page }) => {
  await page.goto("/orders");
  const search = async (reference: string, email: string) => {
    await page.getByLabel("Order reference").fill(reference);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Find my order" }).click();
  };
  await search("TT-100482", "kenji.mori@example.com");
  await expect(page.getByText("We have no order with this reference and e-mail address.")).toBeVisible();
  await expect(page.getByText("Out for delivery")).toHaveCount(0);

  await search("tt-100482", "Maya.Okafor@example.com");
  const order = page.getByRole("article", { name: "Online order TT-100482" });
  await expect(order.getByText("Out for delivery")).toBeVisible();
  await expect(order.getByRole("listitem").filter({ hasText: "Kestrel" })).toContainText("Arrived");
  await expect(order.getByRole("listitem").filter({ hasText: "Wick 300" })).toContainText("On its way");
});

test("signs a customer in, shows their orders across a reload and signs out", async ({ page }) => {
  await page.goto("/account");
  await page.getByRole("button", { name: /森 健司/ }).click();
  await expect(page.getByRole("heading", { name: "Your 12 orders" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Hello, 森 健司" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(12);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in as" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});

test("shows the next customer nothing of the former one's orders", async ({ page, chat }) => {
  await page.goto("/account");
  await page.getByRole("button", { name: /森 健司/ }).click();
  await expect(page.getByRole("article")).toHaveCount(12);
  await page.getByRole("button", { name: "Sign out" }).click();
  const release = await chat.hold("**/api/shop/orders");
  await page.getByRole("button", { name: /Maya Okafor/ }).click();
  await expect(page.getByRole("heading", { name: "Hello, Maya Okafor" })).toBeVisible();
  await expect(page.getByText("Fetching your orders …")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
  release();
  await expect(page.getByRole("article", { name: "Online order TT-100482" })).toBeVisible();
});

test("opens the chat with an unsent draft from an example on /try", async ({ page, chat }) => {
  await page.goto("/try");
  await page.getByRole("button", { name: /Do you deliver to Ireland\?/ }).click();
  await expect(chat.composer).toHaveValue("Do you deliver to Ireland?");
  await expect(chat.messages("visitor")).toHaveCount(0);
});

test("renders the launcher only with JavaScript", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  // Playwright cannot disable JavaScript in Firefox.
  await context.route("**/*.js*", (route) => route.abort());
  const page = await context.newPage();
  await page.goto(`${baseURL}/ar/help`);
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.getByRole("button", { name: "تحدث معنا" })).toHaveCount(0);
  await context.close();
});

test("links /try to the chat in the other languages", async ({ page }) => {
  await page.goto("/try");
  await page.getByRole("link", { name: /^العربية/ }).click();
  await expect(page).toHaveURL(/\/ar\/help$/);
  await page.locator("[lang=ar][dir=rtl]").getByRole("button", { name: "تحدث معنا" }).click();
  await expect(page.getByRole("dialog").getByLabel("رسالتك")).toBeEditable();
});

test("switches an open chat to the customer's own after sign-in", aChat, async ({ chat, context }) => {
  await chat.start();
  const other = await context.newPage();
  await other.goto("/account");
  await other.getByRole("button", { name: /Maya Okafor/ }).click();
  await expect(chat.messages("visitor")).toHaveCount(0);
  await expect(chat.panel.getByText("Hello! What are you looking for?")).toBeVisible();
});

test("keeps a prepared draft when the chat learns who has signed in", aChat, async ({ page, chat }) => {
  await page.goto("/account");
  await page.getByRole("button", { name: /Maya Okafor/ }).click();
  await page.getByRole("article", { name: "Online order TT-100482" }).getByRole("button").click();
  await expect(chat.composer).toHaveValue("I have a question about my order TT-100482");
  // Wait until the customer's chat has replaced the guest's.
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop-chat:1:owner")))
    .toMatch(customerTag);
  await chat.sendButton.click();
  await chat.settled();
  await expect(chat.messages("visitor")).toContainText(["I have a question about my order TT-100482"]);
  await expect(chat.answers).toHaveCount(1);
});

test("renders the chosen colour scheme into the next page's HTML", async ({ page, request, context }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Change between light and dark" }).click();
  const chosen = await page.locator("html").getAttribute("data-theme");
  await expect
    .poll(async () => (await context.cookies()).find(({ name }) => name === "theme")?.value)
    .toBe(chosen);
  const html = await (await request.get("/help", { headers: { cookie: `theme=${chosen}` } })).text();
  expect(html).toContain(`<html data-theme="${chosen}" lang="en">`);
  const forged = await (await request.get("/help", { headers: { cookie: 'theme="><script>' } })).text();
  expect(forged).toContain('<html lang="en">');
});

test("starts the tab order with a skip link", async ({ page }) => {
  await page.goto("/help/returns");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("answers unknown pages with 404 and a link to the help centre", async ({ page }) => {
  for (const path of [
    "/nowhere",
    "/products/nothing",
    "/products/workshop-gold-service",
    "/help/nothing",
    "/en/help",
    "/xx/help",
  ]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
  }
  await page.getByRole("main").getByRole("link", { name: "To the help centre" }).click();
  await expect(page).toHaveURL("/help");
});

test("serves every address in the site map and every link on those pages", { tag: "@viewports" }, async ({
  request,
  baseURL,
}) => {
  const map = await (await request.get("/sitemap.xml")).text();
  const addresses = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address ?? ""));
  expect(addresses.length).toBeGreaterThan(70);
  const links = new Set<string>();
  for (const { origin, pathname } of addresses) {
    expect(origin).toBe(baseURL);
    const answer = await request.get(pathname);
    expect(answer.status(), pathname).toBe(200);
    const html = await answer.text();
    const anchors = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    for (const [, href = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      if (href.startsWith("/")) links.add(href.replaceAll("&amp;", "&").split("#")[0] ?? "");
      if (href.startsWith("#"))
        expect(anchors, `${pathname} ${href}`).toContain(decodeURIComponent(href.slice(1)));
    }
  }
  for (const link of links) expect((await request.get(link)).status(), link).toBe(200);
  expect(await (await request.get("/robots.txt")).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
});
