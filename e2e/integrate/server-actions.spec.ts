/**
 * A host that signs customers in and out by server actions, as Auth.js does, and passes the customer to the
 * widget.
 */
import { chats, expect, test } from "../support/chat-page.ts";
import { hosts } from "./hosts.ts";

/** Much shorter than the interval at which an open chat polls, which would notice the change, too. */
const atOnce = { timeout: 10_000 };

for (const { name, url, pages } of hosts.filter(({ kind }) => kind === "server_actions")) {
  test.describe(name, () => {
    test.use({ baseURL: url });

    test(
      "a sign-in or sign-out by a server action changes the chat at once",
      chats(2),
      async ({ chat, page }) => {
        /** Presses the button and waits until the chat has learnt the caller from its server. */
        const press = async (name: string) => {
          const asked = page.waitForResponse("**/api/chat/session", atOnce);
          await page.getByRole("button", { name, exact: true }).click();
          const { item }: { item: { caller: string; customer: object | null } } = await (await asked).json();
          await expect
            .poll(() => page.evaluate(() => localStorage.getItem("shop-chat:1:owner")))
            .toBe(item.customer === null ? "guest" : item.caller);
        };
        const signIn = async (customer: string) => {
          await page.getByLabel("Customer").fill(customer);
          await press("Sign in");
        };
        const signOut = () => press("Sign out");
        const said = { one: "I am number one", two: "I am number two" };
        const shows = async (texts: string[]) => {
          for (const text of Object.values(said))
            await expect(chat.panel.getByText(text, { exact: true })).toHaveCount(
              texts.includes(text) ? 1 : 0,
              atOnce,
            );
        };

        const opened = page.waitForResponse("**/api/chat/session");
        await chat.open(pages[0]);
        await opened;
        await signIn("one");
        await chat.ask(said.one);
        await signOut();
        await shows([]);
        await signIn("two");
        await chat.ask(said.two);
        await shows([said.two]);
        // Straight from one customer to the other.
        await signIn("one");
        await shows([said.one]);

        await page.getByRole("link", { name: "Elsewhere" }).click();
        await expect(page).toHaveURL(/\/dynamic$/);
        await shows([said.one]);
        await page.goBack();
        await signOut();
        await shows([]);
        await page.goBack();
        await page.goForward();
        await shows([]);
      },
    );
  });
}

for (const { name, url, pages } of hosts.filter(
  ({ kind }) => kind === "unconfigured" || kind === "wrong_origin",
)) {
  test.describe(name, () => {
    test.use({ baseURL: url });

    test("says at opening that the chat is not available", async ({ chat, page }) => {
      await page.goto(pages[0] ?? "/");
      await chat.launcher.click();
      await expect(chat.panel.getByText("The chat is not available right now.")).toBeVisible();
      await expect(chat.panel.locator("[data-mode=unavailable]")).toBeVisible();
    });
  });
}
