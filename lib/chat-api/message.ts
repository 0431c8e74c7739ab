/** Message, MessageTurn, HandoffOffer (docs/chat-api.md, the sections of these names). */
import { z } from "zod";
import { Chat } from "./chat.ts";
import { Collection } from "./collection.ts";
import { File } from "./file.ts";
import { limits } from "./limits.ts";
import { Order } from "./order.ts";
import { cursorPattern } from "./patterns.ts";
import { Product } from "./product.ts";
import { cappedList, enumOr, listOf, orNull, Time } from "./schema-parts.ts";

export const messageRoles = ["visitor", "agent", "teammate", "system"] as const;
export type MessageRole = (typeof messageRoles)[number];

export const Citation = z.object({
  title: z.string().describe("Source title."),
  url: orNull(z.string()).describe("Source address, if any."),
  updatedAt: orNull(Time).describe("When the source last changed, if known."),
});
export type Citation = z.infer<typeof Citation>;

export const HandoffOffer = z.object({
  confirmationId: z.string().describe("Sent to the handoff operation to accept the offer."),
  requiresEmail: z.boolean().describe("True when the customer's email is needed."),
  nextAvailableAt: orNull(Time).describe("When the team is next available; null when available now."),
  timezone: orNull(z.string()).describe("The team's support-hours time zone."),
});
export type HandoffOffer = z.infer<typeof HandoffOffer>;

/**
 * The lists that an answer can show beside its text. The agent's events, the lab's scripts, the channel's
 * storage and the message derive from them.
 */
export const replyParts = {
  citations: cappedList(Citation, limits.citationsPerMessage).describe("Where the agent's answer came from."),
  products: cappedList(Product, limits.productsPerMessage).describe("Products that the agent showed."),
  orders: cappedList(Order, limits.ordersPerMessage).describe("Orders that the agent looked up."),
  choices: listOf(z.string()).describe(
    "Replies the customer can pick. One is sent as the next message's `text`.",
  ),
};
export type ReplyPart = keyof typeof replyParts;

/** The parts of a message besides its text. The chat shows, announces and prints each of them. */
export const messageParts = {
  files: listOf(File).describe("Files sent with the message."),
  ...replyParts,
  collection: orNull(Collection).describe("Set when the message asks the customer to fill in a form."),
  handoffOffer: orNull(HandoffOffer).describe("The agent's offer to pass the chat to the team."),
};
export type MessagePart = keyof typeof messageParts;

/** The parts of a message that has none. */
export const noParts = z.object(messageParts).parse({});

export const Message = z.object({
  id: z.string().describe("Message ID."),
  chatId: z.string().describe("Chat ID."),
  role: enumOr(messageRoles, "system").describe(
    "Who wrote it: `visitor` is the customer, `system` a notice.",
  ),
  text: z.string().describe("Plain text."),
  createdAt: orNull(Time).describe("Null for some older messages."),
  author: orNull(z.object({ name: z.string() })).describe("The teammate who sent it."),
  ...messageParts,
});
export type Message = z.infer<typeof Message>;

export const MessageTurn = z.object({
  message: Message.describe("The customer's message as stored."),
  reply: orNull(Message).describe("The agent's reply. Null while the chat is with the team."),
  chat: Chat.describe("The chat after the turn."),
});
export type MessageTurn = z.infer<typeof MessageTurn>;

/** A page of messages, oldest first. */
export const MessagePage = z.object({
  items: z.array(Message).describe("The oldest first."),
  nextCursor: orNull(z.string().regex(cursorPattern)).describe("Null on the last page."),
});
export type MessagePage = z.infer<typeof MessagePage>;
