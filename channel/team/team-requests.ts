import { z } from "zod";
import { chatModes } from "#lib/chat-api/chat.ts";
import { fieldTypes, valueStatuses } from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { fieldIdPattern } from "#lib/chat-api/patterns.ts";
import { matching, utf16Max } from "#lib/chat-api/schema-parts.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";

const nameLength = 80;
const labelLength = 200;
const purposeLength = 500;
/** Maximum number of fields: a form with more could not be saved in one submission. */
const fieldsPerForm = limits.answersPerSubmission;

function visible(max: number) {
  return utf16Max(max).refine(hasVisibleText, { error: "must contain a character that is not white space" });
}

const FieldId = matching(fieldIdPattern, "a field ID");
const Name = visible(nameLength);

export const InboxQuery = z.strictObject({
  mode: z.enum(chatModes).optional(),
  limit: z
    .string()
    .regex(/^(?:[1-9][0-9]?|1[0-9][0-9]|200)$/, { error: "must be a number from 1 to 200" })
    .transform(Number)
    .default(100),
});

export const ClaimBody = z.strictObject({ name: Name, takesOver: z.boolean().default(false) });

export const TeammateMessageBody = z.strictObject({
  text: visible(limits.messageTextLength),
  name: Name.optional(),
});

export const EmptyBody = z.strictObject({});

const FormField = z
  .strictObject({
    id: FieldId,
    label: visible(labelLength),
    description: utf16Max(purposeLength).default(""),
    type: z.enum(fieldTypes),
    choices: z
      .array(z.strictObject({ id: FieldId, label: visible(labelLength) }))
      .max(100)
      .default([]),
  })
  .refine((field) => (field.type === "choice") === field.choices.length > 0, {
    path: ["choices"],
    error: "must be given for a choice, and only for one",
  })
  .refine((field) => new Set(field.choices.map((choice) => choice.id)).size === field.choices.length, {
    path: ["choices"],
    error: "must not repeat an ID",
  });

/** A form, as a teammate requests it and as the lab scripts it. */
export const FormBody = z.strictObject({
  collectionId: FieldId.default("details"),
  purpose: visible(purposeLength),
  fields: z
    .array(z.strictObject({ field: FormField, required: z.boolean() }))
    .min(1)
    .max(fieldsPerForm)
    .refine((fields) => new Set(fields.map((entry) => entry.field.id)).size === fields.length, {
      error: "must not repeat a field",
    }),
  canSkip: z.boolean().default(false),
  canCancel: z.boolean().default(true),
});
export type FormBody = z.infer<typeof FormBody>;

export const AskBody = z.strictObject({ form: FormBody, name: Name.optional() });

export const EditBody = z.strictObject({
  values: z
    .array(
      z.strictObject({
        fieldId: FieldId,
        value: utf16Max(limits.answerLength).nullable(),
        status: z.enum(valueStatuses),
      }),
    )
    .min(1)
    .max(limits.answersPerSubmission),
});
