/** The tools that show a form, or offer the team with one. */
import { z } from "zod";
import type { Localised } from "#lib/shop/forms.ts";
import type { FormRequest } from "../../channel/agents/agent.ts";
import { answersOf, defineTool, type ToolContext } from "./tool.ts";

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

const Reason = z.enum(["asked", "not_helped", "upset"]);

export const offerTeamTool = defineTool({
  input: z.object({ reason: Reason }),
  use: ({ reason }, context) => ({ report: { offered: true }, shows: { offer: teamOffer(reason, context) } }),
});

/** `details`: the form to complete before the handoff, if any. */
export function teamOffer(reason: z.infer<typeof Reason>, context: ToolContext): { details?: FormRequest } {
  const form = context.shop.forms.find((each) => each.pendingAction === "handoff");
  const details = form && formRequest(form.collectionId, context);
  const given = answersOf(context.turn);
  // An upset customer, or one whom the agent failed, does not have to fill in a form first.
  const isNeeded = details?.fields.some(({ field, required }) => required && !given.has(field.id));
  return reason === "asked" && details && isNeeded ? { details } : {};
}
