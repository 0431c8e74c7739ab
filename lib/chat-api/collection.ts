/** Collection and Field (docs/chat-api.md, "Collection", "Field"). */
import { z } from "zod";
import { fieldIdPattern } from "./patterns.ts";
import { enumOr, listOf, orNull, Time } from "./schema-parts.ts";

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
