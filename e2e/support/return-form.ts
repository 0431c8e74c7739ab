import type { Form } from "./channel-hands.ts";

/** A form of three questions, as the lab has the agent ask them: an address, a choice, and a note that may be left out. */
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
