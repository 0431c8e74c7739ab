import { createServer } from "node:http";
import type { ShopChatElement } from "../../components/chat/element/shop-chat.ts";
import { builtInLanguages } from "../../components/chat/i18n/built-in.ts";
import english from "../../components/chat/i18n/en.json" with { type: "json" };
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";

test("shows the page's texts in place of the chat's own, as they change", aChat, async ({ page }) => {
  await page.goto("/playground?mode=floating");
  const chat = new ChatPage(page);
  await page.getByLabel("Welcome").fill("Good morning!");
  await chat.launcher.click();
  await expect(chat.panel.getByText("Good morning!")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByLabel("Welcome").fill("");
  await chat.launcher.click();
  await expect(chat.panel.getByText(english.welcome.title)).toBeVisible();
});

const polish = {
  launcher: { ...builtInLanguages.en.launcher, open: "Napisz do nas" },
  texts: { welcome: { title: "Dzień dobry!" }, composer: { label: "Wiadomość" } },
};

test("<shop-chat> takes texts and a language from a file of its page", async ({ page }) => {
  await openElementPage(page, {
    attributes: 'locale="pl-PL" strings-src="/chat-strings.json"',
    files: { "/chat-strings.json": { languages: { pl: polish }, strings: { composer: { send: "Wyślij" } } } },
  });
  const button = page.getByRole("button", { name: "Napisz do nas" });
  await button.click();
  const panel = page.getByRole("dialog", { name: "Wren" });
  await expect(panel.getByText("Dzień dobry!")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Wyślij" })).toBeVisible();
  // A text that the file lacks is English.
  await expect(panel.getByRole("button", { name: english.panel.close })).toBeVisible();
  await expect(page.locator("shop-chat [lang]").first()).toHaveAttribute("lang", "pl");
});

test("<shop-chat> takes a right-to-left language as a property", async ({ page }) => {
  await openElementPage(page, { attributes: 'locale="he"' });
  await page.locator("shop-chat").evaluate((element: HTMLElement & { languages: object }, texts) => {
    element.languages = {
      he: {
        launcher: { open: "שלום", opening: "…", failed: "!", reload: "↻" },
        texts: () => Promise.resolve({ ...texts, welcome: { ...texts.welcome, title: "ברוכים הבאים" } }),
      },
    };
  }, english);
  await page.getByRole("button", { name: "שלום" }).click();
  const welcome = page.getByText("ברוכים הבאים");
  await expect(welcome).toBeVisible();
  expect(await welcome.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
});

test("<shop-chat> keeps its own words where the file has none that can be used, and reports it", async ({
  page,
  complaints,
}) => {
  const chat = new ChatPage(page);
  await openElementPage(page, {
    attributes: 'strings-src="/chat-strings.json"',
    files: {
      "/chat-strings.json": {
        languages: { pl: { texts: {} } },
        strings: { launcher: { open: { other: "Chat" } }, welcome: { title: "Good morning!" } },
      },
    },
  });
  await chat.launcher.click();
  await expect(chat.panel.getByText("Good morning!")).toBeVisible();
  expect(complaints.splice(0)).toEqual([
    "TypeError: strings-src: launcher.open is no text",
    "TypeError: strings-src: pl has no launcher",
  ]);
});

test("<shop-chat> shows its button at once, and its words when the file arrives", async ({ page }) => {
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  await page.route("**/chat-strings.json", async (route) => {
    await arrival;
    await route.fulfill({ json: { languages: { pl: polish } } });
  });
  await openElementPage(page, { attributes: 'locale="pl-PL" strings-src="/chat-strings.json"' });
  const button = new ChatPage(page).launcher;
  await expect(button).toBeVisible();
  await button.focus();
  await page.locator("shop-chat").evaluate((element: ShopChatElement) => element.open());
  await expect(page.getByRole("button", { name: builtInLanguages.en.launcher.opening })).toBeFocused();
  arrive();
  await expect(page.getByRole("dialog", { name: "Wren" }).getByText("Dzień dobry!")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Napisz do nas" })).toBeFocused();
});

test("<shop-chat> follows no redirect of its words to another origin", async ({
  page,
  context,
  complaints,
}) => {
  await context.grantPermissions(["local-network-access"]);
  let readings = 0;
  const other = createServer((_request, response) => {
    readings += 1;
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.end(JSON.stringify({ strings: { launcher: { open: "Other words" } } }));
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  if (address === null || typeof address === "string") throw new TypeError("the server has no port");
  await page.route("**/chat-strings.json", (route) =>
    route.fulfill({ status: 302, headers: { location: `http://127.0.0.1:${address.port}/` } }),
  );
  await openElementPage(page, { attributes: 'strings-src="/chat-strings.json"', policy: null });
  await expect.poll(() => complaints).toContain("TypeError: Failed to fetch");
  complaints.splice(0);
  await expect(new ChatPage(page).launcher).toBeVisible();
  expect(readings).toBe(0);
  other.close();
});
