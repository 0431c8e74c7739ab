import { z } from "zod";
import type { Localised } from "#lib/shop/forms.ts";
import type { FormRequest } from "../../channel/agents/agent.ts";
import { defineTool, type ToolContext } from "./tool.ts";

export const askForDetailsTool = defineTool({
  input: z.object({ form: z.string() }),
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
