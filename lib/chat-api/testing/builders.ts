/** Contract values for tests. */
import type { Chat, Handoff } from "../chat.ts";
import type { Collection, Field } from "../collection.ts";
import type { File, Order, Product } from "../message.ts";
import { type HandoffOffer, type Message, type MessageTurn, noParts } from "../message.ts";

export const chatId = "chat_0001";
export const idempotencyKey = "key-0000-0001";
const time = "2026-03-02T09:30:00.000Z";

export function aChat(overrides: Partial<Chat> = {}): Chat {
  return {
    id: chatId,
    channelKey: "dep_demo_shop",
    userId: "customer-1",
    mode: "agent",
    teammate: null,
    createdAt: time,
    updatedAt: time,
    resolvedAt: null,
    historyComplete: true,
    handoff: null,
    ...overrides,
  };
}

export function aMessage(overrides: Partial<Message> = {}): Message {
  return {
    id: "message_1",
    chatId,
    role: "visitor",
    text: "Do you deliver to Ireland?",
    createdAt: time,
    author: null,
    ...noParts,
    ...overrides,
  };
}

export function aTurn(replyText: string | null): MessageTurn {
  const reply = replyText === null ? null : aMessage({ id: "reply_1", role: "agent", text: replyText });
  return { message: aMessage(), reply, chat: aChat() };
}

export function aFile(overrides: Partial<File> = {}): File {
  return {
    id: "file_0001",
    chatId,
    filename: "a.txt",
    mediaType: "text/plain",
    byteSize: 4,
    createdAt: time,
    expiresAt: null,
    ...overrides,
  };
}

export function aProduct(overrides: Partial<Product> = {}): Product {
  return {
    id: "product_1",
    title: "Kestrel helmet",
    brand: "Tarn & Tread",
    imageUrl: null,
    productUrl: "https://shop.tarn-and-tread.example/products/kestrel",
    inStock: true,
    clickAndCollectOnly: false,
    price: { amount: 64, currency: "GBP", was: null, from: false },
    ...overrides,
  };
}

export function anOrder(overrides: Partial<Order> = {}): Order {
  return {
    reference: "TT-100482",
    kind: "online",
    status: "Out for delivery",
    complete: false,
    placedLabel: "Tue 3 June",
    dueLabel: "today before 18:00",
    servicedItem: null,
    items: [
      { description: "Kestrel helmet, pine, M", quantity: 1, arrived: true },
      { description: "Inner tube 700 × 40", quantity: 2, arrived: false },
      { description: "Assembly", quantity: 1, arrived: null },
    ],
    store: null,
    ...overrides,
  };
}

export function aCollection(overrides: Partial<Collection> = {}): Collection {
  return {
    version: 0,
    fields: [],
    values: [],
    request: null,
    missing: [],
    pendingAction: null,
    error: null,
    ...overrides,
  };
}

export function aField(overrides: Partial<Field> & { id: string }): Field {
  return { label: overrides.id, description: "", type: "text", choices: [], ...overrides };
}

const teamIsThere = { requiresEmail: false, nextAvailableAt: null, timezone: "Europe/London" };

export function anOffer(overrides: Partial<HandoffOffer> = {}): HandoffOffer {
  return { confirmationId: "confirm-1", ...teamIsThere, ...overrides };
}

export function aHandoff(overrides: Partial<Handoff> = {}): Handoff {
  return { status: "waiting", requestedAt: time, ...teamIsThere, ...overrides };
}
