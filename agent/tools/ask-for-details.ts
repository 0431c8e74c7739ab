import { z } from "zod";
import type { Localised, ShopForm } from "#lib/shop/forms.ts";
import type { FormRequest } from "../../channel/agents/agent.ts";
import type { Language } from "../language/languages.ts";
import { defineTool } from "./tool.ts";

const Input = z.object({
  form: z
    .string()
    .describe(
      "find-my-order, return-request, workshop-booking, bike-fitting or feedback. Never before-handoff: offer_team brings it.",
    ),
});

export const askForDetailsTool = defineTool<z.infer<typeof Input>, FormRequest | null>({
  name: "ask_for_details",
  description:
    "Shows the customer a form for what you need to know: an order's reference and email, a return, a workshop booking, a bike fitting, or feedback. Ask for nothing of that in text.",
  input: Input,
  run: ({ form }, { shop, language }) => {
    const found = shop.forms.find((each) => each.collectionId === form);
    return found ? formRequestOf(found, language) : null;
  },
  report: (form) => (form ? { shown: form.collectionId } : { error: "no such form" }),
  shows: (form) => (form ? { form } : {}),
});

/** A form in the customer's language. */
export function formRequestOf(form: ShopForm, language: Language): FormRequest {
  const local = (text: Localised) => text[language];
  return {
    collectionId: form.collectionId,
    purpose: local(form.purpose),
    canSkip: form.canSkip,
    canCancel: form.canCancel,
    fields: form.fields.map(({ id, type, required, label, description, choices }) => ({
      required,
      field: {
        id,
        type,
        label: local(label),
        description: local(description),
        choices: choices.map((choice) => ({ id: choice.id, label: local(choice.label) })),
      },
    })),
  };
}
