/** The shop's pages, by roles and labels, in a real browser. */
import { violationsOf, wcag } from "../support/accessibility.ts";
import { chats, expect, test } from "../support/chat-page.ts";

const pages = [
  "/",
  "/products",
  "/products/fell-2-gravel-bike",
  "/products?category=helmets",
  "/help",
  "/help?q=delivery",
  "/help/cycle-to-work",
  "/ar/help/delivery",
  "/account",
  "/try",
];

test("every page is accessible and has one main heading", { tag: ["@phone", "@rare"] }, async ({ page }) => {
  for (const path of pages) {
    await page.goto(path);
    await expect.soft(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
    expect.soft(await violationsOf(page, { tags: [...wcag, "best-practice"] }), path).toEqual([]);
  }
});

test.describe("in the dark scheme", () => {
  test.use({ colorScheme: "dark" });
  test("every page has enough contrast", { tag: "@rare" }, async ({ page }) => {
    for (const path of pages) {
      await page.goto(path);
      expect.soft(await violationsOf(page, { tags: ["cat.color"] }), path).toEqual([]);
    }
  });
});

test("every page fits a 320-pixel screen", { tag: "@rare" }, async ({ page }) => {
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

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("lists a category, and all products for an unknown one", async ({ page }) => {
    await page.goto("/products");
    const all = await page.getByRole("article").count();
    const categories = page.getByRole("navigation", { name: "Categories" });
    await categories.getByRole("link", { name: "Helmets" }).click();
    await expect(page).toHaveURL("/products?category=helmets");
    await expect(page.getByRole("heading", { level: 1, name: "Helmets" })).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(3);
    await page.goto("/products?category=__proto__");
    await expect(page.getByRole("article")).toHaveCount(all);
  });

  test("signs in, shows orders and signs out", async ({ page }) => {
    await page.goto("/account");
    await page.getByRole("button", { name: /森 健司/ }).click();
    await expect(page.getByRole("heading", { name: "Your 12 orders" })).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(12);
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Sign in as" })).toBeVisible();
    expect(await page.context().cookies()).toEqual([]);
  });

  test("renders no launcher", { tag: "@rare" }, async ({ page }) => {
    await page.goto("/ar/help");
    await expect(page.getByRole("main")).toBeVisible();
    await expect(page.getByRole("button", { name: "تحدث معنا" })).toHaveCount(0);
  });
});

test("replaces a picture that fails to load with a text", { tag: "@rare" }, async ({ page }) => {
  await page.goto("/products/enamel-mug");
  await expect(page.getByRole("main").getByText("Picture to follow").first()).toBeVisible();
});

test("shows markup in a title as text", { tag: "@rare" }, async ({ page }) => {
  await page.goto("/products/everything-bikepacking-bundle");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("<b>2026</b>");
});

for (const [question, heading] of [
  ["Do you deliver to Ireland?", "Ireland"],
  ["هل توصلون إلى أيرلندا؟", "أيرلندا"],
] as const) {
  test(`links a source to the quoted section: ${heading}`, { tag: "@rare" }, async ({ page, chat }) => {
    await chat.open();
    const reply = await chat.ask(question);
    await reply.getByText(/sources?$/).click();
    const source = reply.getByRole("listitem").getByRole("link").first();
    await page.goto((await source.getAttribute("href")) ?? "");
    await expect(page.getByRole("heading", { level: 2, name: new RegExp(`^${heading}`) })).toBeInViewport();
  });
}

test("searches the help pages from an empty chat, and asks Wren what they do not answer", {
  tag: "@phone",
}, async ({ page, chat }) => {
  await chat.open();
  const field = chat.panel.getByRole("searchbox", { name: "Search our help" });
  await field.fill("delivery to Ireland");
  await field.press("Enter");
  await expect(page).toHaveURL("/help?q=delivery+to+Ireland");
  const main = page.getByRole("main");
  await expect(main.getByRole("searchbox")).toHaveValue("delivery to Ireland");
  await expect(main.getByRole("link", { name: /^Ireland/ })).toHaveAttribute(
    "href",
    "/help/delivery#ireland",
  );
  await main.getByRole("button", { name: "Ask Wren" }).click();
  await expect(chat.composer).toHaveValue("delivery to Ireland");
});

test("signs a customer in, shows their orders across a reload and signs out", { tag: "@phone" }, async ({
  page,
}) => {
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
  await expect(page.getByRole("article")).toHaveCount(0);
  const release = await chat.hold("**/api/shop/orders");
  await page.getByRole("button", { name: /Maya Okafor/ }).click();
  await expect(page.getByRole("heading", { name: "Hello, Maya Okafor" })).toBeVisible();
  // The server has rendered them.
  await expect(page.getByRole("article", { name: "Online order TT-100482" })).toBeVisible();
  const own = await page.getByRole("article").count();
  expect(own).toBeLessThan(12);
  const answer = page.waitForResponse("**/api/shop/orders");
  release();
  await answer;
  await expect(page.getByRole("article")).toHaveCount(own);
});

test("follows in the account and the chat of one tab what the account of another does", {
  ...chats(2),
  tag: ["@live", "@rare"],
}, async ({ page, chat }) => {
  await chat.open("/account");
  await chat.ask("hello");
  const other = await page.context().newPage();
  await other.goto("/account");
  await other.getByRole("button", { name: /Maya Okafor/ }).click();
  await expect(other.getByRole("heading", { name: "Hello, Maya Okafor" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Hello, Maya Okafor" })).toBeVisible();
  await expect(chat.composer).toBeEditable();
  await chat.ask("hello again");
  await other.getByRole("button", { name: "Sign out" }).click();
  await expect(other.getByRole("heading", { name: "Sign in as" })).toBeVisible();
  // Until it is back for longer than SWR's pause after a request.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("focus")));
      return page.getByRole("heading", { name: "Sign in as" }).isVisible();
    })
    .toBe(true);
  await expect(chat.messages("visitor")).toHaveCount(0);
});

test("opens the chat with an unsent draft from an example on /try", async ({ page, chat }) => {
  await page.goto("/try");
  await page.getByRole("button", { name: /Do you deliver to Ireland\?/ }).click();
  await expect(chat.composer).toHaveValue("Do you deliver to Ireland?");
  await expect(chat.messages("visitor")).toHaveCount(0);
});

test("fetches a page when a pointer is on its link, but never the account", { tag: "@rare" }, async ({
  page,
  chat,
}) => {
  await page.goto("/about");
  await expect(chat.launcher).toBeVisible();
  const fetched = new Set<string>();
  page.on("request", (request) => {
    if (request.headers()["rsc"] !== undefined) fetched.add(new URL(request.url()).pathname);
  });
  await page.getByRole("banner").getByRole("link", { name: "Your account" }).hover();
  // In the footer, because narrow pages show no links in the header.
  const tracking = page.getByRole("contentinfo").locator('a[href="/help/order-tracking"]');
  await tracking.hover();
  await expect.poll(() => [...fetched]).toEqual(["/help/order-tracking"]);
  await tracking.click();
  await expect(page).toHaveURL(/\/help\/order-tracking$/);
});

test("renders the chosen colour scheme into the next page's HTML", { tag: "@rare" }, async ({
  page,
  request,
  context,
}) => {
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

test("starts the tab order with links to the content and to the chat", async ({ page, chat }) => {
  await page.goto("/help/returns");
  await expect(chat.launcher).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.reload();
  await expect(chat.launcher).toBeVisible();
  await page.getByRole("link", { name: "Skip to the chat" }).press("Enter");
  await page.keyboard.press("Tab");
  await expect(chat.launcher).toBeFocused();
});

test("keeps the launcher off the texts and controls of every page's first view", { tag: "@rare" }, async ({
  page,
  chat,
}) => {
  for (const path of [...pages, "/about", "/help/returns"]) {
    await page.goto(path);
    // Arabic pages name it in Arabic.
    const launcher = chat.launcher.or(page.getByRole("button", { name: "تحدث معنا" }));
    await expect(launcher).toBeVisible();
    for (const width of [390, 820, 1280, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      expect.soft(await launcher.evaluate(coveredBy), `${path} at ${width}`).toEqual([]);
    }
  }
});

/** Returns the page's texts and controls that are below the button. */
function coveredBy(button: HTMLElement): string[] {
  const { left, top, right, bottom } = button.getBoundingClientRect();
  button.style.visibility = "hidden";
  const covered = new Set<string>();
  for (let x = left; x <= right; x += 4)
    for (let y = top; y <= bottom; y += 4) {
      const element = document.elementFromPoint(x, y);
      const control = element?.closest("a, button, input, select, summary");
      if (control) covered.add(control.textContent);
      for (const node of element?.childNodes ?? []) {
        if (node.nodeType !== Node.TEXT_NODE) continue;
        const range = document.createRange();
        range.selectNode(node);
        const isAt = (box: DOMRect) => x > box.left && x < box.right && y > box.top && y < box.bottom;
        if ([...range.getClientRects()].some(isAt)) covered.add(node.textContent ?? "");
      }
    }
  button.style.visibility = "";
  return [...covered];
}

test("keeps the launcher on a phone's screen at twice the text size", { tag: "@rare" }, async ({
  page,
  chat,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of pages) {
    await page.goto(path);
    for (const size of ["150%", "200%"]) {
      await page.evaluate((wanted) => document.documentElement.style.setProperty("font-size", wanted), size);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(overflow, `${path} at ${size}`).toBeLessThanOrEqual(0);
    }
    if (path === "/") await expect(chat.launcher).toBeInViewport({ ratio: 1 });
  }
});

test("answers unknown pages with 404 and a link to the help centre", { tag: "@rare" }, async ({ page }) => {
  for (const path of [
    "/nowhere",
    "/products/nothing",
    "/products/workshop-gold-service",
    "/help/nothing",
    "/en/help",
    "/xx/help",
  ]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
  }
  await page.getByRole("main").getByRole("link", { name: "To the help centre" }).click();
  await expect(page).toHaveURL("/help");
});

test("serves every address in the site map and every link on those pages", { tag: "@rare" }, async ({
  request,
  baseURL,
}) => {
  const map = await (await request.get("/sitemap.xml")).text();
  const addresses = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address ?? ""));
  expect(addresses.length).toBeGreaterThan(70);
  const links = new Set<string>();
  for (const { origin, pathname } of addresses) {
    expect(origin).toBe(baseURL);
    const response = await request.get(pathname);
    expect(response.status(), pathname).toBe(200);
    const html = await response.text();
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
