/** Thumbs under the agent's answers and the rating of a closed chat, which the demo stores and counts. */
import type { Locator, Page } from "@playwright/test";
import { expect, passToTeam, pollNow, test } from "../support/handoff.ts";

const isFeedback = (response: { url(): string; status(): number }) =>
  response.url().endsWith("/feedback") && response.status() === 204;

/** Presses, and waits until the shop has stored that. */
async function press(page: Page, act: () => Promise<void>): Promise<void> {
  const stored = page.waitForResponse(isFeedback);
  await act();
  await stored;
}

const isPressed = (button: Locator, pressed: boolean) =>
  expect(button).toHaveAttribute("aria-pressed", String(pressed));

test("stores what the customer thinks of an answer, with the keyboard, until it is taken back", async ({
  people,
}) => {
  const chat = await people.newCustomer();
  await chat.open();
  await chat.ask("Do you deliver to Ireland?");
  const up = chat.lastReply().getByRole("button", { name: "Helpful", exact: true });
  const down = chat.lastReply().getByRole("button", { name: "Not helpful" });
  await up.focus();
  await press(chat.page, () => chat.page.keyboard.press("Enter"));
  await isPressed(up, true);
  await expect(up).toBeFocused();

  await chat.page.reload();
  await isPressed(up, true);
  await press(chat.page, () => up.click());
  await isPressed(up, false);

  await press(chat.page, () => down.click());
  await chat.lastReply().getByLabel("Anything to add?").fill("It names no price");
  await chat.expectAccessible();
  await press(chat.page, () => chat.lastReply().getByRole("button", { name: "Send comment" }).click());
  await expect(chat.lastReply().getByRole("status")).toHaveText("Thank you for telling us.");
  await expect(chat.composer).toBeFocused();

  await chat.page.goto("/try");
  await expect(chat.page.getByText(/[1-9]\d* did not\./)).toBeVisible();
});

test("shows the thumbs of an earlier answer while it is hovered or has the focus", { tag: "@rare" }, async ({
  chat,
}) => {
  await chat.open();
  await chat.ask("Do you deliver to Ireland?");
  await chat.ask("hello");
  const earlier = chat.answers.first();
  const thumbs = earlier.getByRole("group", { name: "Was this answer helpful?" });
  await chat.composer.hover();
  await expect(thumbs).toHaveCSS("opacity", "0");
  await earlier.hover();
  await expect(thumbs).toHaveCSS("opacity", "1");
  // They cover nothing of the answer.
  const text = await earlier.locator("p[dir=auto]").first().boundingBox();
  const box = await thumbs.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(text?.y ?? 0);
  await chat.composer.hover();
  await expect(thumbs).toHaveCSS("opacity", "0");
  await thumbs.getByRole("button", { name: "Helpful", exact: true }).focus();
  await expect(thumbs).toHaveCSS("opacity", "1");
});

test("takes one rating of a chat that the team has closed", { tag: "@rare" }, async ({ people }) => {
  const chat = await people.newCustomer();
  const team = await people.newTeammate("Priya N.");
  await chat.open();
  const says = `Rate me ${Date.now()}`;
  await passToTeam(chat, says);
  await team.open();
  await team.page.getByRole("link", { name: says }).click();
  await team.press("Claim");
  await team.press("Resolve");
  await pollNow(chat);
  const rating = chat.panel.getByRole("group", { name: "How was this chat?" });
  const four = rating.getByRole("button", { name: "4 stars" });
  await press(chat.page, () => four.click());
  await isPressed(four, true);
  await press(chat.page, () => rating.getByRole("button", { name: "5 stars" }).click());
  await isPressed(four, false);
  await chat.expectAccessible();
  await chat.page.goto("/try");
  await expect(chat.page.getByText(/[1-9]\d* rated their chat: \d\.\d of 5\./)).toBeVisible();
});
