/** The team's console by keyboard alone, and beside a customer who goes on writing. */
import { randomUUID } from "node:crypto";
import { expect, news, test } from "../support/handoff.ts";
import { lab } from "../support/lab.ts";

test("a chat is found, claimed and answered by keyboard", { tag: "@ours" }, async ({ stage }) => {
  const says = `By keyboard ${Date.now()}`;
  const { chat } = await stage.customerWith({ mode: "waiting", says });
  const team = await stage.newTeammate("Zoë");
  const { page } = team;
  const { keyboard } = page;
  await team.open();
  await keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  await expect(page.getByRole("link", { name: /^Waiting/ })).toBeFocused();
  await page.getByRole("link", { name: says }).focus();
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Claim" })).toBeVisible();
  // Before its script runs a form loads the page anew, and the focus begins at the top.
  await expect(page.locator("html")).toHaveClass(/scripted/);
  await page.getByRole("region", { name: "Messages" }).focus();
  await keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Claim" })).toBeFocused();
  await keyboard.press("Enter");
  // The button is gone; the teammate goes on where the work does.
  await expect(page.locator("#reply")).toBeFocused();
  await keyboard.type("Good morning!");
  await keyboard.press("Control+Enter");
  await expect(team.messages.last()).toContainText("Good morning!");
  await expect(page.locator("#reply")).toHaveValue("");
  await expect(page.locator("#reply")).toBeFocused();
  await news(chat);
  await expect(chat.messages("teammate")).toContainText("Good morning!");
});

test("the page changes by itself under a teammate who is typing", { tag: "@ours" }, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith({
    mode: "teammate",
    teammate: "Zoë",
    says: "My lamp is dark",
  });
  const team = await stage.newTeammate("Zoë");
  await team.open(`/chats/${chatId}`);
  await team.page.getByText("Ask for details", { exact: true }).click();
  await team.page.locator("#reply").fill("I am looking for");
  await team.page.locator("#reply").press("Home");
  await chat.send("And the bell is silent");
  await expect(team.messages.last()).toContainText("And the bell is silent");
  await expect(team.page.locator("#reply")).toBeFocused();
  await team.page.keyboard.type("Yes, ");
  await expect(team.page.locator("#reply")).toHaveValue("Yes, I am looking for");
  await expect(team.page.getByLabel("Why you ask")).toBeVisible();
});

test("chats that come and go in the list leave the keyboard where it is", { tag: "@ours" }, async ({
  stage,
}) => {
  const says = `In the middle ${Date.now()}`;
  await stage.customerWith({ mode: "waiting", says });
  const team = await stage.newTeammate("Zoë");
  const { page } = team;
  await page.clock.install();
  await team.open("?mode=waiting");
  const chosen = page.getByRole("link", { name: says });
  await chosen.focus();
  const id = `longest_${randomUUID()}`;
  const createdAt = "2026-01-01T00:00:00.000Z";
  await lab.importChat({
    id,
    userId: "cust.maya-okafor",
    mode: "waiting",
    handoff: { status: "waiting", requestedAt: createdAt },
    messages: [{ role: "visitor", text: `Longer than anyone ${id}`, createdAt }],
  });
  await page.clock.fastForward(2_000);
  const first = page.getByRole("link", { name: id });
  await expect(first).toBeVisible();
  await expect(chosen).toBeFocused();
  await lab.deleteChat(id);
  await page.clock.fastForward(2_000);
  await expect(first).toHaveCount(0);
  await expect(chosen).toBeFocused();
});

test("a fault that is set by the lab's form is met once, by the chat that it names", {
  tag: "@ours",
}, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith({ mode: "agent", says: "Good morning" });
  const team = await stage.newTeammate("Priya N.");
  const { page } = team;
  await team.open("/lab");
  await page.getByLabel("Code of an error").selectOption("operation_capacity_reached");
  await page.getByLabel("Only in the chat").fill(chatId);
  await page.getByLabel("Only in the chat").press("Enter");
  await expect(page.getByText("The next sendMessage will meet it.")).toBeVisible();
  const fault = page.locator("#faults").getByRole("row", { name: chatId });
  await expect(fault).toContainText("operation_capacity_reached");
  await chat.send("Do you deliver to Ireland?");
  await expect(chat.panel.locator("[data-code=operation_capacity_reached]")).toBeVisible();
  await expect(fault).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`every page is accessible and fits a phone (${colorScheme})`, { tag: "@ours" }, async ({ stage }) => {
    const { chatId } = await stage.customerWith({ mode: "waiting", says: "Is it ready?" });
    const team = await stage.newTeammate("Priya N.");
    await team.page.emulateMedia({ colorScheme });
    await team.page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["", `/chats/${chatId}`, "/requests", "/hours", "/lab"]) {
      await team.open(path);
      await team.expectAccessible();
      const overflow = await team.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, path).toBe(0);
    }
  });
}
