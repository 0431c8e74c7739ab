/** Collection and Field (docs/chat-api.md, "Collection", "Field", "Operations"). */
import { z } from "zod";
import { limits } from "./limits.ts";
import { fieldIdPattern } from "./patterns.ts";
import { echoedText, enumOr, listOf, orNull, Time } from "./schema-parts.ts";
import { isStorableText } from "./text.ts";

export const fieldTypes = ["text", "email", "choice"] as const;
export const valueStatuses = ["accepted", "declined", "unknown", "disputed"] as const;
export type ValueStatus = (typeof valueStatuses)[number];
export const valueActors = ["visitor", "teammate"] as const;
export const collectionActions = ["save", "skip", "cancel"] as const;

const FieldId = z.string().meta({ pattern: fieldIdPattern.source });

export const Field = z.object({
  id: FieldId.describe("The key of its answer."),
  label: z.string().describe("What the customer is asked."),
  description: z.string().default("").describe("More about what to enter. May be empty."),
  type: enumOr(fieldTypes, "text").describe("What the answer must be."),
  choices: listOf(z.object({ id: FieldId, label: z.string() })).describe("Options of a `choice` field."),
});
export type Field = z.infer<typeof Field>;

export const CollectionValue = z.object({
  fieldId: FieldId.describe("The field that was answered."),
  value: orNull(z.string()).describe("The answer; of a `choice` field, the option's `id`."),
  status: enumOr(valueStatuses, "unknown").describe("Only `accepted` is an answer."),
  actor: enumOr(valueActors, "visitor").describe("Who answered."),
  updatedAt: Time.describe("When the answer was saved."),
});
export type CollectionValue = z.infer<typeof CollectionValue>;

export const CollectionRequest = z.object({
  id: z.string().describe("Sent as `collectionRequestId` when submitting."),
  collectionId: FieldId.describe("Which form it is."),
  purpose: z.string().describe("Why the agent asks."),
  fields: listOf(z.object({ fieldId: FieldId, required: z.boolean() })).describe(
    "The form's fields, in order.",
  ),
  complete: z.boolean().describe("True once every required field is answered."),
  canSkip: z.boolean().describe("Whether the customer may skip the form."),
  canCancel: z.boolean().describe("Whether the customer may cancel the form."),
});
export type CollectionRequest = z.infer<typeof CollectionRequest>;

export const Collection = z.object({
  version: z.int().describe("Sent back as `expectedVersion`. Increases when a submission is saved."),
  fields: listOf(Field).describe("Every field that the chat's answers refer to."),
  values: listOf(CollectionValue).describe("Answers so far."),
  request: orNull(CollectionRequest).describe("The form that the agent asks the customer to fill in."),
  missing: listOf(z.string()).describe("Required fields still unanswered."),
  pendingAction: orNull(z.string()).describe(
    "`handoff` when the answers are for passing the chat to the team.",
  ),
  error: orNull(z.string()).describe("Why the last submission was not saved."),
});
export type Collection = z.infer<typeof Collection>;

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
