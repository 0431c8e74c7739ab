/**
 * The agent that answers in a simulation. A word in the customer's text asks for each thing that a reply can
 * carry, and other words are repeated. The model calls it, and the real channel through `real-channel.ts`.
 */
import type { Collection } from "../contract/support/shapes.ts";

type Field = Collection["fields"][number];

export interface Form {
  collectionId: string;
  purpose: string;
  fields: { field: Field; required: boolean }[];
  canSkip: boolean;
  canCancel: boolean;
}

export interface Answer {
  deltas: string[];
  /** The reply's text, if a closing question replaces what was streamed. */
  question?: string;
  choices?: string[];
  form?: Form;
  offer?: { requiresEmail?: true; details?: Form };
  /** The turn ends as `operation_interrupted`. */
  fails?: true;
  /** The reply resolves the chat. */
  closes?: true;
  /** The pause before each delta, as a multiple of the usual one. */
  slowness?: number;
}

const text = (id: string): Field => ({ id, label: id, description: "", type: "text", choices: [] });

const form = (collectionId: string, fields: Form["fields"], isOptional: boolean): Form => ({
  collectionId,
  purpose: "To look it up.",
  fields,
  canSkip: isOptional,
  canCancel: isOptional,
});

const orderForm = form(
  "order",
  [
    { field: text("reference"), required: true },
    { field: { ...text("email"), type: "email" }, required: false },
    {
      field: { ...text("size"), type: "choice", choices: ["s", "m"].map((id) => ({ id, label: id })) },
      required: false,
    },
  ],
  true,
);
const detailsForm = form("details", [{ field: text("topic"), required: true }], false);

const words: Record<string, Partial<Answer>> = {
  form: { form: orderForm },
  team: { offer: {} },
  email: { offer: { requiresEmail: true } },
  details: { offer: { details: detailsForm } },
  choices: { choices: ["form", "team"] },
  question: { question: "Which size do you need?" },
  fail: { fails: true },
  slow: { slowness: 40 },
};

/** All that the answer carries beside its text. */
export function partsOf({ question, choices, form, offer }: Answer) {
  return [
    ...(question === undefined ? [] : [{ type: "ask" as const, text: question }]),
    ...(choices === undefined ? [] : [{ type: "choices" as const, choices }]),
    ...(form === undefined ? [] : [{ type: "request_form" as const, form }]),
    ...(offer === undefined ? [] : [{ type: "offer_handoff" as const, ...offer }]),
  ];
}

/** `given` is the customer's text, or the action that closed a form. A later attempt finds other words. */
export function answerTo(given: string, attempt = 1): Answer {
  const named = given.split(/\W+/).flatMap((word) => (Object.hasOwn(words, word) ? [words[word]] : []));
  return Object.assign({ deltas: [attempt === 1 ? "Echo" : "Again", ": ", given] }, ...named);
}
