/**
 * The way from the agent to people and back, with both pages open: the customer's chat and the team's console. The
 * tests share a world of their own, since they move the channel's clock, which never goes back.
 */
import AxeBuilder from "@axe-core/playwright";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { advanceTo, lab, TeamConsole } from "../support/team-console.ts";
import { World } from "../support/world.ts";

test.describe.configure({ mode: "default", timeout: 90_000 });
// The lab's clock and the team's words are of the embedded channel alone.
test.use({ timezoneId: "Europe/London" });

let world: World;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  world = await World.start();
});
test.afterAll(async () => world.stop());

async function newChat(browser: Browser, options: BrowserContextOptions = {}): Promise<ChatPage> {
  const context = await browser.newContext({ timezoneId: "Europe/London", ...options });
  const chat = new ChatPage(await context.newPage());
  await chat.open(world.shopUrl);
  return chat;
}

async function newTeammate(browser: Browser, name: string): Promise<TeamConsole> {
  const context = await browser.newContext({ timezoneId: "Europe/London" });
  const team = new TeamConsole(await context.newPage(), world);
  await team.open(name);
  return team;
}

/** Asks for a person, accepts the offer with the details that the team wants first, and says what it is about. */
async function passToTeam(chat: ChatPage, says: string, email = "maya@example.com"): Promise<void> {
  await chat.ask("I would like to speak to a person");
  const offer = chat.panel.getByRole("region", { name: "Talk to a person" });
  const emailOfOffer = offer.getByLabel("Your e-mail address");
  if ((await emailOfOffer.count()) > 0) await emailOfOffer.fill(email);
  await offer.getByRole("button", { name: "Pass me to the team" }).click();
  await expect(chat.panel.getByText("The team needs a few details first")).toBeVisible();
  const form = chat.panel.locator("form", { hasText: "What is it about?" });
  await form.getByText("A repair", { exact: true }).click();
  await form.getByLabel("E-mail address").fill(email);
  await form.getByRole("button", { name: "Send" }).click();
  await expect(chat.panel.getByText(/^Waiting since/)).toBeVisible();
  await chat.send(says);
  await chat.settled();
}

async function expectAccessible(team: TeamConsole): Promise<void> {
  const { violations } = await new AxeBuilder({ page: team.page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual(
    [],
  );
}

test("out of hours the e-mail is asked for, and the team's return is told in the customer's own time", {
  tag: "@ours",
}, async ({ browser }) => {
  await advanceTo(world, ({ weekday, time }) => weekday === "Sat" && time === "22:00");
  const chat = await newChat(browser, { timezoneId: "Asia/Tokyo" });
  await chat.ask("I would like to speak to a person");
  const offer = chat.panel.getByRole("region", { name: "Talk to a person" });
  await expect(offer).toContainText(/back Monday.*your time/);
  await expect(offer).toContainText(/Monday 9:00 AM \(London\)/);
  const email = offer.getByLabel("Your e-mail address");
  await email.fill("maya@example");
  await offer.getByRole("button", { name: "Pass me to the team" }).click();
  await expect(offer).toContainText("Write an address such as name@example.com.");
  await expect(email).toBeFocused();
  await expect(email).toHaveValue("maya@example");
  await chat.expectAccessible();
  await chat.page.context().close();
});

test("details, waiting, claimed, answered, resolved; a new chat takes the draft along", {
  tag: "@ours",
}, async ({ browser }) => {
  await advanceTo(world, ({ weekday, time }) => weekday === "Mon" && time === "10:00");
  const chat = await newChat(browser);
  const team = await newTeammate(browser, "Priya N.");
  await passToTeam(chat, "It is the rear hub.");
  await expect(chat.panel).toContainText("Your chat has been passed to our team.");
  await chat.expectAccessible();

  await expect(team.page.getByRole("link", { name: /It is the rear hub/ })).toBeVisible();
  await expectAccessible(team);
  await team.openWaiting(/It is the rear hub/);
  await expect(team.page.getByText("maya@example.com").first()).toBeVisible();
  await team.press("Claim");
  await expect(chat.panel).toContainText("Priya N. has joined the chat.");
  await expect(chat.panel).toContainText("You are talking to Priya N.");
  await team.reply("Hello Maya, bring it in on Tuesday.");
  await expect(chat.messages("teammate").last()).toContainText("Hello Maya, bring it in on Tuesday.");
  await expectAccessible(team);
  await chat.expectAccessible();

  await chat.composer.fill("One more thing: ");
  await team.press("Resolve");
  await expect(chat.panel).toContainText("This conversation is closed");
  await chat.panel.getByRole("button", { name: "New chat" }).last().click();
  await expect(chat.composer).toHaveValue("One more thing: ");
  await chat.ask("Which helmets do you have?");
  await expect(chat.messages("visitor")).toHaveCount(1);
  await chat.page.context().close();
  await team.page.context().close();
});

test("returned to the agent, which answers again", { tag: "@ours" }, async ({ browser }) => {
  const chat = await newChat(browser);
  const team = await newTeammate(browser, "Zoë");
  await passToTeam(chat, "My brakes squeal");
  await team.openWaiting(/My brakes squeal/);
  await team.press("Claim");
  await team.press("Return to the agent");
  await expect(chat.panel).toContainText("Zoë has left the chat.");
  const reply = await chat.ask("Do you deliver to Ireland?");
  await expect(reply).toContainText("Ireland");
  await chat.page.context().close();
  await team.page.context().close();
});

test("failed: the customer is told, and can ask again", { tag: "@ours" }, async ({ browser }) => {
  const chat = await newChat(browser);
  const team = await newTeammate(browser, "Tomasz K. 🔧");
  await passToTeam(chat, "My lamp is dark");
  await team.openWaiting(/My lamp is dark/);
  await team.press("Could not be reached");
  await expect(chat.panel).toContainText("Your request did not reach the team.");
  await chat.panel.getByRole("button", { name: "Ask again" }).click();
  await expect(chat.panel.getByRole("button", { name: "Pass me to the team" })).toBeVisible();
  await chat.page.context().close();
  await team.page.context().close();
});

test("nobody comes: after a while the customer is told that they may leave", { tag: "@ours" }, async ({
  browser,
}) => {
  const chat = await newChat(browser);
  await chat.page.clock.install();
  await passToTeam(chat, "Is anybody there?");
  // The page's clock counts from the real day, the request was made on the lab's: both are moved past the wait.
  const { now } = (await lab(world, "clock", { advanceSeconds: 0 })) as { now: string };
  await chat.page.clock.setFixedTime(Date.parse(now) + 10 * 60_000);
  await chat.page.reload();
  await expect(chat.panel).toContainText("Nobody has joined yet. You may leave");
  await chat.page.context().close();
});

test("a teammate asks for details by a form", { tag: "@ours" }, async ({ browser }) => {
  const chat = await newChat(browser);
  const team = await newTeammate(browser, "ليلى");
  await passToTeam(chat, "My chain is loose");
  await team.openWaiting(/My chain is loose/);
  await team.press("Claim");
  await expect(chat.panel).toContainText("ليلى");
  await team.page.getByText("Ask for details", { exact: true }).click();
  await team.page.getByLabel("Why you ask").fill("So that the workshop can call you");
  await team.page.getByLabel("Question").first().fill("Telephone number");
  await team.page.getByRole("button", { name: "Ask", exact: true }).click();
  const form = chat.panel.locator("form", { hasText: "Telephone number" });
  await form.getByLabel("Telephone number").fill("01632 960123");
  await form.getByRole("button", { name: "Send" }).click();
  await expect(team.page.locator("#collected")).toContainText("01632 960123");
  await chat.page.context().close();
  await team.page.context().close();
});

test("two customers and two teammates at once: nobody sees what is another's", { tag: "@ours" }, async ({
  browser,
}) => {
  const [ann, ben] = await Promise.all([newChat(browser), newChat(browser)]);
  const [priya, zoe] = await Promise.all([newTeammate(browser, "Priya N."), newTeammate(browser, "Zoë")]);
  await Promise.all([
    passToTeam(ann, "I am Ann", "ann@example.com"),
    passToTeam(ben, "I am Ben", "ben@example.com"),
  ]);
  await Promise.all([priya.openWaiting(/I am Ann/), zoe.openWaiting(/I am Ben/)]);
  await Promise.all([priya.press("Claim"), zoe.press("Claim")]);
  await Promise.all([priya.reply("Hello Ann"), zoe.reply("Hello Ben")]);
  await expect(ann.messages("teammate")).toHaveCount(1);
  await expect(ben.messages("teammate")).toHaveCount(1);
  await expect(ann.messages("teammate")).toContainText("Hello Ann");
  await expect(ben.messages("teammate")).toContainText("Hello Ben");
  for (const { page } of [ann, ben, priya, zoe]) await page.context().close();
});

test("a teammate takes the chat over in the middle of the agent's reply", { tag: "@ours" }, async ({
  browser,
}) => {
  const chat = await newChat(browser);
  const team = await newTeammate(browser, "Priya N.");
  await chat.ask("hello");
  await lab(world, "reply", {
    reply: {
      text: "This is a reply that nobody will read to its end.",
      deltas: ["This is a reply ", "that nobody ", "will read ", "to its end."],
      delayMs: 5_000,
    },
  });
  await chat.send("Tell me everything");
  await expect(chat.panel.locator("[aria-busy=true]")).toContainText("This is a reply");
  await team.page.goto(`${world.channelUrl}/console?mode=agent`);
  await team.page.getByRole("link", { name: /Tell me everything/ }).click();
  await team.press("Take over from the agent");
  await expect(chat.panel).toContainText("Priya N. has joined the chat.");
  await expect(chat.panel).not.toContainText("to its end.");
  await team.reply("I take over from here.");
  await expect(chat.messages("teammate")).toContainText("I take over from here.");
  await expect(chat.messages("visitor").filter({ hasText: "Tell me everything" })).toHaveCount(1);
  await chat.page.context().close();
  await team.page.context().close();
});

test("holidays and the change to summer time: the team's return is right", { tag: "@ours" }, async ({
  browser,
}) => {
  const offerText = async () => {
    const chat = await newChat(browser);
    await chat.ask("I would like to speak to a person");
    const text = await chat.panel.getByRole("region", { name: "Talk to a person" }).textContent();
    await chat.page.context().close();
    return text;
  };
  // On Christmas Eve the team leaves at 13:00; the 25th and 26th are closed, and so are Sundays.
  await advanceTo(world, ({ month, day, time }) => month === 12 && day === 24 && time === "13:15");
  expect(await offerText()).not.toContain("available now");
  // The night to the last Sunday in March has an hour less.
  await advanceTo(
    world,
    ({ weekday, month, day, time }) =>
      weekday === "Sat" && month === 3 && day >= 24 && day <= 30 && time === "23:00",
  );
  expect(await offerText()).toMatch(/back Monday.* 9:00 AM/);
});
