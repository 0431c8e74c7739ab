/**
 * The fields of messages, forms and chats on screen, in the demo's chats. The gallery shows those of cards,
 * offers and files, and the remedies those that change while the customer reads.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import type { ImportedChat } from "../../channel/lab/lab-client.ts";
import { root } from "../../processes/root.ts";
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

const seed = readFileSync(join(root, "lib/shop/demo-chats.json"), "utf8");

const checks: [id: string, mode: string, texts: string[], check?: (chat: ChatPage) => Promise<void>][] = [
  ["demo-every-card", "Automatic assistant", ["Show me everything."], expectCards],
  ["demo-form-in-progress", "Automatic assistant", [], expectOpenForm],
  ["demo-form-refused", "Automatic assistant", [], expectRefusedForm],
  [
    "demo-answers-kept",
    "Automatic assistant",
    ["Noted. Anything else?"],
    async ({ panel }) => {
      await expect(panel.getByRole("region", { name: "Form" })).toHaveCount(0);
    },
  ],
  [
    "demo-with-team",
    "From our team",
    ["ليلى has joined.", "Then it is the freehub"],
    ({ panel }) => expect(panel.getByRole("heading", { level: 2 })).toContainText("Tomasz K. 🔧"),
  ],
  ["demo-resolved", "Closed", ["Zoë"], ({ composer }) => expect(composer).toHaveCount(0)],
  ["demo-handoff-failed", "Automatic assistant", ["Your request did not reach the team."]],
  ["demo-waiting", "Waiting for the team", ["Waiting since"]],
  [
    "demo-imported",
    "Automatic assistant",
    ["Earlier messages are no longer kept.", "Priya N.", "moved from our earlier system"],
    // The other messages have no time.
    ({ rows }) => expect(rows.locator("time")).toHaveCount(2),
  ],
];

for (const [id, mode, texts, check] of checks)
  test(`shows the fields of a chat: ${id}`, async ({ fixtures }) => {
    const { chat, environment, lab, page } = fixtures;
    const { chats } = JSON.parse(seed.replaceAll("http://localhost:3000", environment.shopUrl));
    const wanted: ImportedChat = chats.find((each: ImportedChat) => each.id === id);
    await lab.importChat(wanted);
    await signIn(page, wanted.userId.replace("cust.", ""), environment.shopUrl);
    await page.goto(`${environment.shopUrl}/?chat=${id}`);
    await expect(chat.rows.first()).toBeVisible();
    for (const text of [mode, ...texts]) await expect(chat.panel).toContainText(text);
    await check?.(chat);
  });
