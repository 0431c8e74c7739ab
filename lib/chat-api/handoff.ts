/** Body of the handoff operation (docs/chat-api.md, "Operations"). */
import { z } from "zod";
import { emailPattern } from "./email.ts";
import { limits } from "./limits.ts";
import { echoedText, LocaleInput, utf16Max } from "./schema-parts.ts";

export const HandoffBody = z.object({
  confirmationId: echoedText()
    .refine((id) => id.length > 0, { error: "must not be empty" })
    .describe("`handoffOffer.confirmationId` of the latest message that has one."),
  email: utf16Max(limits.emailLength)
    .regex(emailPattern, { error: "must be an email address" })
    .optional()
    .describe("The customer's email address; required if `handoffOffer.requiresEmail` is true."),
  locale: LocaleInput.optional().describe("The language of the notices, a BCP 47 tag; `en` if absent."),
});
export type HandoffBody = z.infer<typeof HandoffBody>;
