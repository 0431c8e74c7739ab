/** Chats with forms in states that need two people or an error. */

import { userIdOfCustomer } from "#lib/bff/session/customer.ts";
import type { Field } from "#lib/chat-api/collection.ts";
import type { DetailEdit, Form } from "../../testing/lab/lab-client.ts";
import { minutesBefore, type Seed } from "./seed.ts";

const item: Field = {
  id: "item",
  label: "What shall we look at?",
  description: "Make and model, and what it does.",
  type: "text",
  choices: [],
};
const size: Field = { id: "size", label: "Frame size", description: "", type: "text", choices: [] };
const email: Field = {
  id: "email",
  label: "Your e-mail address",
  description: "For the day when it is ready.",
  type: "email",
  choices: [],
};
const shop: Field = {
  id: "shop",
  label: "Which shop?",
  description: "",
  type: "choice",
  choices: [
    { id: "kelderby", label: "Kelderby" },
    { id: "brackwater", label: "Brackwater" },
    { id: "ostle-quay", label: "Ostle Quay" },
  ],
};
const day: Field = {
  id: "day",
  label: "Which day?",
  description: "",
  type: "choice",
  choices: [
    { id: "mon", label: "Monday" },
    { id: "tue", label: "Tuesday" },
    { id: "wed", label: "Wednesday" },
    { id: "thu", label: "Thursday" },
    { id: "fri", label: "Friday" },
    { id: "sat", label: "Saturday" },
    { id: "any", label: "Any day" },
  ],
};
const notes: Field = { id: "notes", label: "Anything else?", description: "", type: "text", choices: [] };

const booking: Form = {
  collectionId: "workshop-booking",
  purpose: "So that the workshop keeps a place for your bike.",
  fields: [
    { field: item, required: true },
    { field: size, required: false },
    { field: email, required: true },
    { field: shop, required: true },
    { field: day, required: true },
    { field: notes, required: false },
  ],
  canSkip: false,
  canCancel: true,
};

export const formInProgress: Seed = {
  id: "demo-form-in-progress",
  customerId: "maya-okafor",
  title: "A form that the team edits, too",
  about:
    "Answers that are accepted, disputed, unknown and left out, of the customer's and of a teammate's. Type something, run `npm run demo:seed -- --team-edits`, then press Send: the form was changed meanwhile, and what you typed is kept.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("maya-okafor"),
    createdAt: minutesBefore(now, 40),
    messages: [
      { role: "visitor", text: "I would like to book a service.", createdAt: minutesBefore(now, 40) },
      {
        role: "agent",
        text: "A few answers, and the workshop keeps a place for you.",
        createdAt: minutesBefore(now, 39),
      },
    ],
    collection: {
      fields: [],
      values: [
        { fieldId: "item", value: "Fell 2, rear hub", status: "accepted" },
        { fieldId: "size", value: null, status: "unknown" },
        { fieldId: "email", value: "maya.okafor@example", status: "disputed", actor: "teammate" },
        { fieldId: "shop", value: "kelderby", status: "accepted", actor: "teammate" },
        { fieldId: "notes", value: null, status: "declined" },
      ],
      form: booking,
    },
  }),
};

/** The change of `--team-edits`: the other shop each time. */
export function teamEdit(shopId: "kelderby" | "brackwater"): readonly DetailEdit[] {
  return [{ fieldId: "shop", value: shopId, status: "accepted" }];
}

export const formRefused: Seed = {
  id: "demo-form-refused",
  customerId: "lukas-brandt",
  title: "A form that was not saved",
  about: "The collection says why the last submission was refused.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("lukas-brandt"),
    createdAt: minutesBefore(now, 70),
    messages: [
      { role: "visitor", text: "Can I collect C-7710 on Saturday?", createdAt: minutesBefore(now, 70) },
      { role: "agent", text: "Which shop, please?", createdAt: minutesBefore(now, 69) },
    ],
    collection: {
      fields: [],
      form: {
        collectionId: "collection-point",
        purpose: "So that it waits at the right shop.",
        fields: [{ field: shop, required: true }],
        canSkip: true,
        canCancel: false,
      },
      error: "Ostle Quay is closed on that day. Please choose another shop.",
    },
  }),
};

export const answersKept: Seed = {
  id: "demo-answers-kept",
  customerId: "lukas-brandt",
  title: "Answers without a form",
  about: "Details were collected and nothing is asked: the form is closed.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("lukas-brandt"),
    createdAt: minutesBefore(now, 300),
    messages: [
      { role: "visitor", text: "My size is 54.", createdAt: minutesBefore(now, 300) },
      { role: "agent", text: "Noted. Anything else?", createdAt: minutesBefore(now, 299) },
    ],
    collection: {
      fields: [size, email],
      values: [
        { fieldId: "size", value: "54", status: "accepted" },
        { fieldId: "email", value: null, status: "unknown", actor: "teammate" },
      ],
    },
  }),
};
