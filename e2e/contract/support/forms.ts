/** Forms for scripted replies. */
import type { Field } from "#lib/chat-api/collection.ts";
import { aField } from "#lib/chat-api/testing/builders.ts";
import type { Form } from "../../../channel/lab/lab-client.ts";
import type { Collection } from "./shapes.ts";

export type { Form };

const sizes = [
  { id: "too_big", label: "Too big" },
  { id: "too-small", label: "Too small" },
];

export function field(id: string, type: Field["type"] = "text"): Field {
  return aField({ id, label: `Label of ${id}`, type, choices: type === "choice" ? sizes : [] });
}

/** Two required and two optional fields. The form can be cancelled but not skipped. */
export function aForm(overrides: Partial<Form> = {}): Form {
  return {
    collectionId: "return_request",
    purpose: "To find your order.",
    fields: [
      { field: field("reference"), required: true },
      { field: field("email", "email"), required: true },
      { field: field("reason", "choice"), required: false },
      { field: field("notes"), required: false },
    ],
    canSkip: false,
    canCancel: true,
    ...overrides,
  };
}

export const rightAnswers = { reference: "TT-100482", email: "ana@example.com" } as const;

/** The request ID and the version that a submission for this collection carries. */
export function submissionFor({ request, version }: Collection) {
  return { collectionRequestId: request?.id ?? null, expectedVersion: version };
}
