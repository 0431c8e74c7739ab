import { aField, anOrder } from "#lib/chat-api/testing/builders.ts";
import { aProduct } from "#lib/engine/testing/builders.ts";
import type { Form } from "../../channel/lab/lab-client.ts";

const reasons = [
  { id: "too_big", label: "Too big" },
  { id: "damaged", label: "Damaged" },
];

/** A form for replies scripted by the lab: an email address, a choice and an optional note. */
export const returnForm: Form = {
  collectionId: "return-request",
  purpose: "To prepare your return.",
  canSkip: false,
  canCancel: true,
  fields: [
    { required: true, field: aField({ id: "email", label: "Email", type: "email" }) },
    { required: true, field: aField({ id: "reason", label: "Reason", type: "choice", choices: reasons }) },
    { required: false, field: aField({ id: "note", label: "Note" }) },
  ],
};

/** A product and an order whose cards show nearly all their parts, for replies scripted by the lab. */
export const helmet = aProduct({
  id: "kestrel",
  clickAndCollectOnly: true,
  price: { amount: 64, currency: "GBP", was: 80, from: true },
});

export const repair = anOrder({
  reference: "W-2231",
  kind: "workshop",
  status: "Waiting for parts",
  placedLabel: null,
  dueLabel: "Fri 6 June",
  servicedItem: "Fell 2, rear hub",
  items: [{ description: "Labour", quantity: 1, arrived: null }],
  store: { name: "Kelderby", phone: "+44 1632 960101" },
});
