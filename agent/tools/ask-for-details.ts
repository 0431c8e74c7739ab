import { z } from "zod";
import type { Localised } from "#lib/shop/forms.ts";
import type { FormRequest } from "../../channel/agents/agent.ts";
import { defineTool, type ToolContext } from "./tool.ts";

export const askForDetailsTool = defineTool({
  description:
    "Shows the customer a form for what you need to know: an order's reference and email, a return, a workshop booking, a bike fitting, or feedback. Ask for nothing of that in text.",
  input: z.object({
    form: z
      .string()
      .describe(
        "find-my-order, return-request, workshop-booking, bike-fitting or feedback. Never before-handoff: offer_team brings it.",
      ),
  }),
  use(input, context) {
    const form = formRequest(input.form, context);
    return form ? { report: { shown: input.form }, shows: { form } } : { report: { error: "no such form" } };
  },
});

/** A form in the customer's language. */
export function formRequest(name: string, { shop, language }: ToolContext): FormRequest | undefined {
  const form = shop.forms.find(({ collectionId }) => collectionId === name);
  const local = (text: Localised) => text[language];
  return (
    form && {
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
    }
  );
}
