import { z } from "zod";
import type { FormRequest } from "../../channel/agents/agent.ts";
import { formRequest } from "./ask-for-details.ts";
import { answersOf, defineTool, type ToolContext } from "./tool.ts";

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
