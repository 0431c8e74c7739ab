/** Chat (docs/chat-api.md, "Chat", "States"). */
import { z } from "zod";
import { chatIdPattern } from "./patterns.ts";
import { enumOr, matching, orNull, Time } from "./schema-parts.ts";

export const chatModes = ["agent", "waiting", "teammate", "resolved"] as const;
export const ChatMode = enumOr(chatModes, "agent");
export type ChatMode = (typeof chatModes)[number];

export const handoffStatuses = ["waiting", "claimed", "resolved", "failed"] as const;
export const HandoffStatus = enumOr(handoffStatuses, "waiting");
export type HandoffStatus = (typeof handoffStatuses)[number];

export const Handoff = z.object({
  status: HandoffStatus.describe("The latest state of the request to pass the chat to the team."),
  requestedAt: Time.describe("When the customer asked for the team."),
  requiresEmail: z
    .boolean()
    .describe("True when the team replies by email, so that the customer's is needed."),
  nextAvailableAt: orNull(Time).describe("When the team is next available; null when available now."),
  timezone: orNull(z.string()).describe("The team's support-hours time zone."),
});
export type Handoff = z.infer<typeof Handoff>;

export const Chat = z.object({
  id: matching(chatIdPattern, "a chat ID").describe("Chat ID."),
  channelKey: z.string().describe("The channel's address."),
  userId: z.string().describe("The customer's ID in this channel. Not a sign-in."),
  mode: ChatMode.describe("Who answers."),
  teammate: orNull(z.object({ name: z.string() })).describe("The teammate answering, while one is."),
  createdAt: Time.describe("When the chat started."),
  updatedAt: Time.describe("When the chat last changed."),
  resolvedAt: orNull(Time).describe("When the chat was resolved."),
  historyComplete: z.boolean().default(true).describe("False when older messages are no longer kept."),
  handoff: orNull(Handoff).describe("Latest request to pass the chat to the team."),
});
export type Chat = z.infer<typeof Chat>;
