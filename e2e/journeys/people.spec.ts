/** Polling for a teammate's messages: in closed panels and hidden tabs. */
import type { Request } from "@playwright/test";
import { expect, pollNow, test } from "../support/handoff.ts";
import { team } from "../support/lab.ts";
import { signIn } from "../support/sign-in.ts";

const withPriya = { mode: "teammate", teammate: "Priya N.", says: "Is it ready?" } as const;

test("counts messages on the launcher while the chat is closed", async ({ people }) => {
  const { chat, chatId } = await people.customerWith(withPriya);
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await expect(chat.launcher).toBeFocused();
  await team.write(chatId, "Hello from the team");
  await pollNow(chat);
  await expect(chat.launcher).toHaveAccessibleName(/1 new message$/);
  await chat.launcher.click();
  await expect(chat.messages("teammate")).toContainText("Hello from the team");
  await expect(chat.panel.getByText("New messages", { exact: true })).toBeVisible();
});

test("polls in a hidden tab and at once when it becomes visible", { tag: "@rare" }, async ({ people }) => {
  const { chat, chatId } = await people.customerWith(withPriya);
  await chat.setVisibility("hidden");
  // This poll was scheduled while the page was visible. The next ones have longer intervals.
  await pollNow(chat);
  await team.write(chatId, "It is ready.");
  // Repeated, because the timer starts only when the previous poll has ended.
  const nextPoll = () => chat.page.clock.fastForward(20_000);
  await expect.poll(() => nextPoll().then(() => chat.messages("teammate").count())).toBe(1);
  await expect(chat.messages("teammate")).toContainText("It is ready.");
  await expect(chat.page).toHaveTitle(/^\(1 new message\) /);

  // The timers are paused, so only the tab's return to the foreground can start a poll.
  await chat.page.clock.pauseAt((await chat.page.evaluate(() => Date.now())) + 5_000);
  await team.write(chatId, "Come when you like.");
  await chat.setVisibility("visible");
  await expect(chat.messages("teammate").last()).toContainText("Come when you like.");
  await chat.page.clock.resume();
});

test("restores the customer's chat after an expired session and a new sign-in", { tag: "@rare" }, async ({
  people,
}) => {
  const { chat, chatId } = await people.customerWith(withPriya);
  const { page } = chat;
  const owner = () => page.evaluate(() => localStorage.getItem("shop-chat:1:owner"));
  const findsIt = async () => {
    await signIn(page, "maya-okafor");
    await page.goto("/about");
  };
  const endSession = async () => {
    // Leaves the page, so that its polls are not recorded among the requests of the page without a session.
    await page.goto("about:blank");
    await page.context().clearCookies();
    const asked: string[] = [];
    const note = (request: Request) => void asked.push(request.url());
    page.on("request", note);
    await page.goto("/about");
    await expect.poll(owner).toBe("guest");
    page.off("request", note);
    // Nothing is requested for a guest before the server has identified the caller.
    expect(asked.filter((url) => url.includes(chatId))).toEqual([]);
  };
  await endSession();
  await findsIt();
  await expect(chat.messages("visitor")).toContainText("Is it ready?");

  // A closed panel polls for the team's answer, too.
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await endSession();
  await findsIt();
  await chat.launcher.click();
  await expect(chat.messages("visitor")).toContainText("Is it ready?");
});
