import { z } from "zod";
import type { FormRequest } from "../../channel/agents/agent.ts";
import { formRequestOf } from "./ask-for-details.ts";
import { answersOf, defineTool } from "./tool.ts";

const Input = z.object({
  reason: z
    .enum(["asked", "not_helped", "upset"])
    .describe(
      "asked: the customer wants a person; not_helped: you could not answer; upset: the customer is angry.",
    ),
});

/** `details`: the form to complete before the handoff, if any. */
type Offer = { details?: FormRequest };

export const offerTeamTool = defineTool<z.infer<typeof Input>, Offer>({
  name: "offer_team",
  description: "Offers to pass the chat to the shop's team of people. The customer decides by a button.",
  input: Input,
  run({ reason }, context) {
    const form = context.shop.forms.find((each) => each.pendingAction === "handoff");
    const given = answersOf(context.turn);
    // An upset customer, or one whom the agent failed, does not have to fill in a form first.
    if (reason !== "asked" || !form || form.fields.every(({ id, required }) => !required || given.has(id)))
      return {};
    return { details: formRequestOf(form, context.language) };
  },
  report: () => ({ offered: true }),
  shows: (offer) => ({ offer }),
});
