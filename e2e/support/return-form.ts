import type { Form } from "../../testing/lab/channel-clients.ts";

/** A form for replies scripted by the lab: an e-mail address, a choice and an optional note. */
export const returnForm: Form = {
  collectionId: "return-request",
  purpose: "To prepare your return.",
  canSkip: false,
  canCancel: true,
  fields: [
    { required: true, field: { id: "email", label: "E-mail", description: "", type: "email", choices: [] } },
    {
      required: true,
      field: {
        id: "reason",
        label: "Reason",
        description: "",
        type: "choice",
        choices: [
          { id: "too_big", label: "Too big" },
          { id: "damaged", label: "Damaged" },
        ],
      },
    },
    { required: false, field: { id: "note", label: "Note", description: "", type: "text", choices: [] } },
  ],
};
