/** The examples' chat: one chat of the demo shop, from its beginning to a handoff. */
import { MessageTurn } from "../message.ts";

export const exampleChat = {
  id: "chat_Zr0vV2l8dQ5nT1xk3Yw7Ag",
  channelKey: "dep_demo_shop",
  userId: "cust.ana-brandt",
  mode: "agent" as const,
  teammate: null,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:04.120Z",
  resolvedAt: null,
  historyComplete: true,
  handoff: null,
};

// The contract adds the fields that a message lacks.
export const exampleTurn = MessageTurn.parse({
  message: {
    chatId: exampleChat.id,
    id: "msg_4nT9cXk1RrWq8sYvB0uJ2w",
    role: "visitor",
    text: "Do you deliver to Ireland?",
    createdAt: "2026-11-20T09:30:03.000Z",
  },
  reply: {
    chatId: exampleChat.id,
    id: "msg_8hL2mPz6VbNd5eGtC7aK9g",
    role: "agent",
    text: "Yes, we deliver to every county of Ireland.",
    createdAt: "2026-11-20T09:30:04.120Z",
    citations: [
      {
        title: "Delivery: Ireland",
        url: "https://shop.example/help/delivery#ireland",
        updatedAt: "2026-10-05T09:00:00.000Z",
      },
    ],
  },
  chat: exampleChat,
});

export const exampleCollection = {
  version: 2,
  fields: [
    {
      id: "email",
      label: "Your email address",
      description: "For the team's answer.",
      type: "email",
      choices: [],
    },
  ],
  values: [],
  request: {
    id: "form_9kLmNbVcXzAsDfGhJkQwEr",
    collectionId: "contact_details",
    purpose: "So that the team can write to you.",
    fields: [{ fieldId: "email", required: true }],
    complete: false,
    canSkip: false,
    canCancel: true,
  },
  missing: ["email"],
  pendingAction: "handoff",
  error: null,
};
