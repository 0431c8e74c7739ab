/** Saves, skips or cancels a form. */
import { z } from "zod";
import { Collection, collectionActions } from "../collection.ts";
import { limits } from "../limits.ts";
import { fieldIdPattern } from "../patterns.ts";
import { echoedText } from "../schema-parts.ts";
import { isStorableText } from "../text.ts";
import { exampleCollection } from "./example-chat.ts";
import { jsonBodyErrors, type OperationContract } from "./operation-contract.ts";

/**
 * Answers keyed by field ID, as a Map: `__proto__` and `constructor` are valid field IDs, which a plain
 * object (and zod's record) would lose.
 */
const Answers = z
  .custom<object>((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
    error: "must be an object",
  })
  .transform((value, context) => {
    const answers = new Map<string, string>();
    const entries: [string, unknown][] = Object.entries(value);
    const refuse = (path: string[], message: string) =>
      context.issues.push({ code: "custom", input: value, path, message });
    if (entries.length > limits.answersPerSubmission) {
      refuse([], `must hold at most ${limits.answersPerSubmission} answers`);
    }
    for (const [fieldId, answer] of entries.slice(0, limits.answersPerSubmission)) {
      if (!fieldIdPattern.test(fieldId)) refuse([fieldId], "must be keyed by a field ID");
      else if (typeof answer !== "string") refuse([fieldId], "must be a string");
      else if (answer.length > limits.answerLength) {
        refuse([fieldId], `must be at most ${limits.answerLength} UTF-16 code units`);
      } else if (!isStorableText(answer)) refuse([fieldId], "must be well-formed text without U+0000");
      else answers.set(fieldId, answer);
    }
    return answers as ReadonlyMap<string, string>;
  });

/** Body of submitCollection (docs/chat-api.md, "Operations"). */
export const SubmitCollectionBody = z.object({
  collectionRequestId: echoedText()
    .nullable()
    .describe("`request.id` of the collection that was read; null if `request` was."),
  expectedVersion: z.int().nonnegative().describe("`version` of the collection that was read."),
  action: z.enum(collectionActions).describe("What becomes of the form."),
  values: Answers.optional().describe(
    "Answers keyed by field ID; the answer to a choice is the option's `id`.",
  ),
  fieldIds: z
    .array(z.string().regex(fieldIdPattern, { error: "must be a field ID" }))
    .max(limits.skippedFieldsPerSubmission)
    .optional()
    .describe("IDs of optional fields that the customer skipped."),
});
export type SubmitCollectionBody = z.infer<typeof SubmitCollectionBody>;

export const submitCollection = {
  summary: "Submit the collection",
  description: "Saves, skips or cancels the form that the agent asks for.",
  body: SubmitCollectionBody,
  maxBodyBytes: limits.collectionBodyBytes,
  response: z.object({ item: Collection }),
  errors: [
    ...jsonBodyErrors,
    "invalid_submission",
    "chat_not_found",
    "idempotency_conflict",
    "turn_in_progress",
    "operation_capacity_reached",
    "chat_closed",
    "version_conflict",
    "chat_limit_reached",
    "service_unavailable",
  ],
  example: {
    body: {
      collectionRequestId: exampleCollection.request.id,
      expectedVersion: exampleCollection.version,
      action: "save",
      values: { email: "ana@example.com" },
    },
    response: {
      item: {
        ...exampleCollection,
        version: 3,
        values: [
          {
            fieldId: "email",
            value: "ana@example.com",
            status: "accepted",
            actor: "visitor",
            updatedAt: "2026-11-20T09:32:00.000Z",
          },
        ],
        request: null,
        missing: [],
      },
    },
  },
} as const satisfies OperationContract;
