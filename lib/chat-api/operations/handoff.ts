/** Passes the chat to the team. */
import { z } from "zod";
import { Chat } from "../chat.ts";
import { limits } from "../limits.ts";
import { emailPattern } from "../patterns.ts";
import { echoedText, LocaleInput, utf16Max } from "../schema-parts.ts";
import { exampleChat } from "./example-chat.ts";
import { jsonBodyErrors, type OperationContract } from "./operation-contract.ts";

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

export const handoff = {
  summary: "Pass the chat to the team",
  description: "Accepts the agent's latest handoff offer.",
  body: HandoffBody,
  maxBodyBytes: limits.jsonBodyBytes,
  response: z.object({ item: Chat }),
  errors: [
    ...jsonBodyErrors,
    "chat_not_found",
    "idempotency_conflict",
    "turn_in_progress",
    "operation_capacity_reached",
    "chat_closed",
    "confirmation_required",
    "collection_incomplete",
    "chat_limit_reached",
    "service_unavailable",
  ],
  example: {
    body: { confirmationId: "offer_1qAz2wSx3eDc4rFv5tGb6y", email: "ana@example.com", locale: "en" },
    response: {
      item: {
        ...exampleChat,
        mode: "waiting",
        updatedAt: "2026-11-20T09:33:00.000Z",
        handoff: {
          status: "waiting",
          requestedAt: "2026-11-20T09:33:00.000Z",
          requiresEmail: true,
          nextAvailableAt: "2026-11-23T09:00:00.000Z",
          timezone: "Europe/London",
        },
      },
    },
  },
} as const satisfies OperationContract;
