/** Body of the handoff operation (docs/chat-api.md, "Operations"). */
import { z } from "zod";
import { limits } from "./limits.ts";
import { emailPattern } from "./patterns.ts";
import { echoedText, LocaleInput, utf16Max } from "./schema-parts.ts";

export const HandoffBody = z.object({
  confirmationId: echoedText().refine((id) => id.length > 0, { error: "must not be empty" }),
  email: utf16Max(limits.emailLength).regex(emailPattern, { error: "must be an email address" }).optional(),
  locale: LocaleInput.optional(),
});
export type HandoffBody = z.infer<typeof HandoffBody>;
