/**
 * The fields of messages, forms and chats on screen, in the demo's chats. The gallery shows those of cards,
 * offers and files, and the remedies those that change while the customer reads.
 */
import type { Locator } from "@playwright/test";
import { everyCard } from "../../scripts/demo-seed/cards-chat.ts";
import type { Seed } from "../../scripts/demo-seed/seed.ts";
import { plant } from "../../scripts/demo-seed/seeds.ts";
import {
  answersKept,
  failedHandoff,
  formInProgress,
  formRefused,
  fromElsewhere,
  resolved,
  waiting,
  withTeam,
} from "../../scripts/demo-seed/written-chats.ts";
import { type ChatPage, expect } from "../support/chat-page.ts";
import { signIn } from "../support/sign-in.ts";
import { test } from "./remedies/remedy-test.ts";

const button = (card: Locator, name: string) => card.getByRole("button", { name, exact: true });

async function expectCards(chat: ChatPage): Promise<void> {
  const { panel } = chat;
  await expect(panel.locator('[aria-label="Products"]').first().locator("> li")).toHaveCount(3);
  await expect(panel.locator("article[data-kind]").first()).toBeVisible();
  await expect(panel.locator("summary").filter({ hasText: "20 sources" })).toBeVisible();
  await expect(panel.getByText("Winter check (poster)")).toBeAttached();
  await expect(chat.lastReply().getByRole("button", { name: "Show me helmets" })).toBeVisible();
}

/** Answers of every status, from the customer and the team. */
async function expectOpenForm({ panel }: ChatPage): Promise<void> {
  const card = panel.getByRole("region", { name: "Form" });
  await expect(card.getByLabel("What should we look at?")).toHaveValue("Fell 2, rear hub");
  await expect(card.getByLabel("Frame size")).toHaveValue("");
  await expect(card.getByLabel("Your email address")).toHaveAttribute("type", "email");
  await expect(card.getByLabel("Kelderby")).toBeChecked();
  await expect(card.getByLabel("Which day?").getByRole("option", { name: "Sunday" })).toHaveCount(0);
  await expect(card.getByLabel("Which day?").getByRole("option", { name: "Any day" })).toBeAttached();
  for (const text of [
    "So that the workshop keeps a place for your bike.",
    "Make and model, and what it does.",
    "optional",
    /not confirmed yet|No answer is known/,
    /not sure about/,
    /Skipped/,
  ])
    await expect(card).toContainText(text);
  await expect(button(card, "Cancel")).toBeVisible();
  await expect(button(card, "Skip")).toHaveCount(0);
}

async function expectRefusedForm({ panel }: ChatPage): Promise<void> {
  const card = panel.getByRole("region", { name: "Form" });
  await expect(card).toContainText("Ostle Quay is closed on that day. Please choose another shop.");
  await expect(button(card, "Skip")).toBeVisible();
  await expect(button(card, "Cancel")).toHaveCount(0);
}

const checks: [seed: Seed, mode: string, texts: string[], check?: (chat: ChatPage) => Promise<void>][] = [
  [everyCard, "Automatic assistant", ["Show me everything."], expectCards],
  [formInProgress, "Automatic assistant", [], expectOpenForm],
  [formRefused, "Automatic assistant", [], expectRefusedForm],
  [
    answersKept,
    "Automatic assistant",
    ["Noted. Anything else?"],
    async ({ panel }) => {
      await expect(panel.getByRole("region", { name: "Form" })).toHaveCount(0);
    },
  ],
  [
    withTeam,
    "From our team",
    ["ليلى has joined.", "Then it is the freehub"],
    ({ panel }) => expect(panel.getByRole("heading", { level: 2 })).toContainText("Tomasz K. 🔧"),
  ],
  [resolved, "Closed", ["Zoë"], ({ composer }) => expect(composer).toHaveCount(0)],
  [failedHandoff, "Automatic assistant", ["Your request did not reach the team."]],
  [waiting, "Waiting for the team", ["Waiting since"]],
  [
    fromElsewhere,
    "Automatic assistant",
    ["Earlier messages are no longer kept.", "Priya N.", "moved from our earlier system"],
    // The other messages have no time.
    ({ rows }) => expect(rows.locator("time")).toHaveCount(2),
  ],
];

for (const [seed, mode, texts, check] of checks)
  test(`shows the fields of a chat: ${seed.title}`, { tag: "@ours" }, async ({ fixtures }) => {
    const { chat, environment, lab, page } = fixtures;
    await plant(seed, { lab, now: await lab.now(), shopOrigin: environment.shopUrl });
    await signIn(page, seed.customerId, environment.shopUrl);
    await page.goto(`${environment.shopUrl}/?chat=${seed.id}`);
    await expect(chat.rows.first()).toBeVisible();
    for (const text of [mode, ...texts]) await expect(chat.panel).toContainText(text);
    await check?.(chat);
  });
