import { builtInLanguages } from "../../components/chat/i18n/built-in.ts";
import english from "../../components/chat/i18n/en.ts";
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";

test("shows the page's texts in place of the chat's own, as they change", aChat, async ({ page }) => {
  await page.goto("/playground");
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
  direction: "ltr",
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
        direction: "rtl",
        launcher: { open: "שלום", opening: "…", unread: "{count}", failed: "!", tryAgain: "?" },
        texts: () => Promise.resolve({ ...texts, welcome: { ...texts.welcome, title: "ברוכים הבאים" } }),
      },
    };
  }, english);
  await page.getByRole("button", { name: "שלום" }).click();
  const welcome = page.getByText("ברוכים הבאים");
  await expect(welcome).toBeVisible();
  expect(await welcome.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
});

test("<shop-chat> keeps its own words and reports it if the file cannot be used", async ({
  page,
  complaints,
}) => {
  await openElementPage(page, {
    attributes: 'strings-src="/chat-strings.json"',
    files: { "/chat-strings.json": { languages: { pl: { direction: "ltr" } } } },
  });
  await expect(new ChatPage(page).launcher).toBeVisible();
  expect(complaints.splice(0)).toEqual(["TypeError: strings-src: pl has no launcher"]);
});
