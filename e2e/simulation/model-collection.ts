/** The details collected in a chat, for the model: the specification's "Collection" and "Submit". */
import type { z } from "zod";
import type { Collection } from "../contract/support/shapes.ts";
import type { Form } from "./agent.ts";
import { fits, refuse, type SubmitCollection } from "./model-http.ts";

export interface Details {
  version: number;
  fields: Map<string, Collection["fields"][number]>;
  values: Map<string, Collection["values"][number]>;
  request: (Form & { id: string }) | null;
  pendingAction: string | null;
  error: string | null;
}
const noForm = { request: null, pendingAction: null, error: null };

export const noDetails = (): Details => ({ version: 1, fields: new Map(), values: new Map(), ...noForm });

function missingOf({ request, values }: Details): string[] {
  const required = request?.fields.filter((entry) => entry.required).map(({ field }) => field.id) ?? [];
  return required.filter((id) => values.get(id)?.status !== "accepted");
}

export function collectionOf(details: Details): Collection {
  const { version, values, request, pendingAction, error } = details;
  const missing = missingOf(details);
  const { fields: entries = [], ...form } = request ?? {};
  const askedFor = entries.map(({ field, required }) => ({ fieldId: field.id, required }));
  const referred = new Set([...values.keys(), ...askedFor.map((entry) => entry.fieldId)]);
  return {
    version,
    // "Every field the chat's answers refer to."
    fields: [...details.fields.values()].filter(({ id }) => referred.has(id)),
    values: [...values.values()],
    request: request && { ...request, ...form, fields: askedFor, complete: missing.length === 0 },
    missing,
    pendingAction,
    error,
  };
}

/** Asks the customer to fill in the form. */
export function openForm(details: Details, id: string, form: Form, pendingAction: string | null): void {
  for (const { field } of form.fields) details.fields.set(field.id, field);
  const request = { id, ...form };
  Object.assign(details, { version: details.version + 1, request, pendingAction, error: null });
}

export function closeForm(details: Details): void {
  if (details.request !== null) details.version += 1;
  Object.assign(details, noForm);
}

/** Saves, skips or cancels the form. True if that has closed it. */
export function submit(
  details: Details,
  body: z.output<typeof SubmitCollection>,
  updatedAt: string,
): boolean {
  const { request } = details;
  const { action } = body;
  // "A submission with a stale `expectedVersion` is refused with `version_conflict`."
  if (body.expectedVersion !== details.version) refuse("version_conflict", "/expectedVersion");
  const reject = (field: string): never => {
    // "Why the last submission was not saved"
    details.error = `${field} is not right.`;
    return refuse("invalid_submission", field);
  };
  if (body.collectionRequestId !== (request?.id ?? null)) reject("/collectionRequestId");
  if ((action === "skip" && !request?.canSkip) || (action === "cancel" && !request?.canCancel))
    reject("/action");
  const corrected = [...details.values.keys()].flatMap((id) => details.fields.get(id) ?? []);
  const asked = request?.fields ?? corrected.map((field) => ({ field, required: false }));
  const entries = new Map(asked.map((entry) => [entry.field.id, entry]));
  const changed = new Map<string, string | null>();
  for (const [id, value] of action === "save" ? Object.entries(body.values) : []) {
    const { field, required } = entries.get(id) ?? reject(`/values/${id}`);
    const isEmpty = !/\S/u.test(value);
    if (isEmpty ? required : !fits(field, value)) reject(`/values/${id}`);
    changed.set(id, isEmpty ? null : field.type === "email" ? value.trim() : value);
  }
  for (const [index, id] of (action === "save" ? body.fieldIds : []).entries()) {
    if (entries.get(id)?.required !== false || changed.get(id)) reject(`/fieldIds/${index}`);
    changed.set(id, null);
  }
  for (const id of action === "skip" ? entries.keys() : [])
    if (details.values.get(id)?.status !== "accepted") changed.set(id, null);
  for (const [id, value] of changed) {
    const status = value === null ? "declined" : "accepted";
    details.values.set(id, { fieldId: id, value, status, actor: "visitor", updatedAt });
  }
  if (action === "cancel") closeForm(details);
  else Object.assign(details, { version: details.version + 1, error: null });
  if (request === null || (action === "save" && missingOf(details).length > 0)) return false;
  details.request = null;
  return true;
}
