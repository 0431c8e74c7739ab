/** Checks the screen against a chat and its handoff. */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { VariantCoverage } from "../../support/field-variants.ts";
import { expect, type RemedyFixtures } from "../remedies/remedy-test.ts";
import { rememberedChats, textOf } from "./page.ts";

/** The team's time zone in `closedUntil`, different from the customer's. */
const farZone = "Asia/Kolkata";

const modes = {
  agent: "Automatic assistant",
  waiting: "Waiting for the team",
  teammate: "From our team",
  resolved: "Closed",
} as const;

const signs = {
  waiting: "Waiting since",
  claimed: modes.teammate,
  resolved: modes.resolved,
  failed: "Your request did not reach the team.",
} as const;

export async function seeChat(
  seen: VariantCoverage,
  { chat, page }: RemedyFixtures,
  item: Chat,
): Promise<void> {
  await expect(chat.panel).toContainText(modes[item.mode]);
  await expect(chat.rows.first()).toBeVisible();
  if (item.handoff !== null) await expect(chat.panel).toContainText(signs[item.handoff.status]);
  // These words load with the part that shows them.
  if (item.handoff?.status === "waiting") await expect(chat.panel).toContainText("Waiting since");
  const says = await textOf(chat.panel);
  const heading = await textOf(chat.panel.getByRole("heading", { level: 2 }));
  const { handoff, teammate } = item;
  const tellsOfTeam = /team|teammate|Team|closed/.test(says);
  seen.seeEach("Chat", item, {
    id: (await rememberedChats(page)).includes(item.id),
    mode: says.includes(modes[item.mode]),
    teammate: heading.includes("Wren") === (teammate === null),
    resolvedAt: ((await chat.composer.count()) === 0) === (item.resolvedAt !== null),
    historyComplete: says.includes("Earlier messages are no longer kept.") !== item.historyComplete,
    handoff: handoff === null ? !says.includes("Waiting since") : tellsOfTeam,
  });
  if (teammate !== null) seen.see("Chat.teammate.name", teammate.name, heading.includes(teammate.name));
  if (handoff === null) return;
  seen.see("Handoff.status", handoff.status, says.includes(signs[handoff.status]));
  if (handoff.status !== "waiting") return;
  const comesBack = /replies here( and by email)? from/.test(says);
  seen.seeEach("Handoff", handoff, {
    requestedAt: says.includes("Waiting since"),
    requiresEmail: says.includes("by email") === handoff.requiresEmail,
    nextAvailableAt: comesBack === (handoff.nextAvailableAt !== null),
  });
  // The screen names the time zone when the team's differs from the customer's.
  if (handoff.timezone !== null && handoff.timezone !== farZone) return;
  seen.see("Handoff.timezone", handoff.timezone, says.includes("your time") === (handoff.timezone !== null));
}
