/** Forms for scripted replies. */
import type { Collection } from "./shapes.ts";

export interface FormField {
  id: string;
  label: string;
  description: string;
  type: "text" | "email" | "choice";
  choices: { id: string; label: string }[];
}

export interface Form {
  collectionId: string;
  purpose: string;
  fields: { field: FormField; required: boolean }[];
  canSkip: boolean;
  canCancel: boolean;
}

export function field(id: string, type: FormField["type"] = "text"): FormField {
  return {
    id,
    label: `Label of ${id}`,
    description: "",
    type,
    choices:
      type === "choice"
        ? [
            { id: "too_big", label: "Too big" },
            { id: "too-small", label: "Too small" },
          ]
        : [],
  };
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
