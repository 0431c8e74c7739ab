/** Message, MessageTurn, HandoffOffer and the parts of a message (docs/chat-api.md, "Message" and others). */
import { z } from "zod";
import { Chat, Handoff } from "./chat.ts";
import { Collection, CollectionRequest, CollectionValue, Field } from "./collection.ts";
import { limits } from "./limits.ts";
import { cursorPattern, fileIdPattern } from "./patterns.ts";
import { cappedList, enumOr, listOf, matching, orNull, Time } from "./schema-parts.ts";

export const Price = z.object({
  amount: z.number().describe("In the currency's main unit."),
  currency: z.string().describe("ISO 4217 code."),
  was: orNull(z.number()).describe("Price before a sale."),
  from: z.boolean().default(false).describe("True when `amount` is the lowest of several prices."),
});
export type Price = z.infer<typeof Price>;

export const Product = z.object({
  id: z.string().describe("ID in the catalogue."),
  title: z.string().describe("Its name."),
  brand: orNull(z.string()).describe("Its brand, if known."),
  imageUrl: orNull(z.string()).describe("Address of a picture, if any."),
  productUrl: orNull(z.string()).describe("Address of its page, if any."),
  inStock: orNull(z.boolean()).describe("Whether it is in stock; null when unknown."),
  clickAndCollectOnly: z.boolean().default(false).describe("True when it can only be collected from a shop."),
  price: orNull(Price).describe("Null when the price is unknown."),
});
export type Product = z.infer<typeof Product>;

export const orderKinds = ["online", "workshop", "order"] as const;

export const OrderItem = z.object({
  description: z.string().describe("What was ordered."),
  quantity: z.number().describe("How many."),
  arrived: orNull(z.boolean()).describe("Whether it has arrived; null when unknown."),
});
export type OrderItem = z.infer<typeof OrderItem>;

export const Order = z.object({
  reference: z.string().describe("How the customer knows the order."),
  kind: enumOr(orderKinds, "order").describe("What kind of order it is."),
  status: z.string().describe("The shop's own wording."),
  complete: z.boolean().default(false).describe("Closed in the shop's system: finished and handed over."),
  placedLabel: orNull(z.string()).describe("When placed, as a label."),
  dueLabel: orNull(z.string()).describe("When due, as a label."),
  servicedItem: orNull(z.string()).describe("Item being repaired or serviced."),
  items: listOf(OrderItem).describe("What belongs to the order."),
  store: orNull(z.object({ name: z.string(), phone: orNull(z.string()) })).describe("The shop that has it."),
});
export type Order = z.infer<typeof Order>;

export const File = z.object({
  id: matching(fileIdPattern, "a file ID").describe("Sent in a message's `fileIds`."),
  chatId: z.string().describe("The chat that it was uploaded to."),
  filename: z.string().describe("Name when uploaded."),
  mediaType: z.string().describe("The file's media type."),
  byteSize: z.int().nonnegative().describe("Size in bytes."),
  createdAt: Time.describe("When uploaded."),
  expiresAt: orNull(Time).describe(
    "When an unsent file is deleted; null once it has been sent with a message.",
  ),
});
export type File = z.infer<typeof File>;

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

/** The schemas of the Chat API's resources by name, for the documents that describe them. */

export const resources = {
  Chat,
  Handoff,
  Message,
  MessageTurn,
  Citation,
  HandoffOffer,
  File,
  Collection,
  CollectionRequest,
  CollectionValue,
  Field,
  Product,
  Price,
  Order,
  OrderItem,
};
