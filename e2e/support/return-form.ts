import { aField } from "#lib/chat-api/testing/builders.ts";
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
