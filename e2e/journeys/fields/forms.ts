/** Checks an open form with its questions and answers. */
import type { Locator } from "@playwright/test";
import type { Collection, Field } from "#lib/chat-api/collection.ts";
import type { VariantCoverage } from "../../support/field-variants.ts";
import type { RemedyFixtures } from "../remedies/remedy-test.ts";
import { textOf } from "./page.ts";

export const cardOf = ({ chat }: RemedyFixtures) => chat.panel.getByRole("region", { name: "Form" });

/** The note beside a stored value that is not accepted. */
const noteOf = {
  accepted: null,
  declined: /Left out/,
  unknown: /not confirmed yet|No answer is known/,
  disputed: /in question/,
} as const;

function seeField(seen: VariantCoverage, field: Field, group: string, text: string): void {
  seen.see("Field.id", field.id, group.includes(`data-field-id="${field.id}"`));
  seen.see("Field.label", field.label, text.includes(field.label));
  seen.see("Field.description", field.description, text.includes(field.description));
  const control = { text: "<textarea", email: 'type="email"', choice: "" }[field.type];
  seen.see("Field.type", field.type, group.includes(control));
  seen.see("Field.choices", field.choices, /<select|type="radio"/.test(group) === field.choices.length > 0);
  for (const choice of field.choices) {
    seen.see("Field.choices[].id", choice.id, group.includes(`value="${choice.id}"`));
    seen.see("Field.choices[].label", choice.label, group.includes(choice.label));
  }
}

/** Checks the open form field by field. */
export async function seeForm(
  seen: VariantCoverage,
  fixtures: RemedyFixtures,
  collection: Collection,
): Promise<void> {
  const card = cardOf(fixtures);
  const { request } = collection;
  if (request === null) throw new Error("No form is open");
  seen.see("Collection.request", request, await card.isVisible());
  seen.see("CollectionRequest.purpose", request.purpose, (await textOf(card)).includes(request.purpose));
  const controls = card.locator("form [data-field-id]");
  const asked = new Set(
    await controls.evaluateAll((all) => all.map((one) => one.getAttribute("data-field-id"))),
  );
  seen.see("CollectionRequest.fields", request.fields, asked.size === request.fields.length);
  seen.see("Collection.fields", collection.fields, asked.size > 0);
  seen.see("CollectionRequest.canSkip", request.canSkip, (await hasButton(card, "Skip")) === request.canSkip);
  seen.see(
    "CollectionRequest.canCancel",
    request.canCancel,
    (await hasButton(card, "Cancel")) === request.canCancel,
  );
  for (const { fieldId, required } of request.fields) {
    const field = collection.fields.find(({ id }) => id === fieldId);
    if (field === undefined) throw new Error(`The form asks for ${fieldId}, which is not defined`);
    const group = card
      .locator("form > *")
      .filter({ has: fixtures.page.locator(`[data-field-id="${fieldId}"]`) });
    const html = await group.innerHTML();
    const text = await textOf(group);
    seeField(seen, field, html, text);
    seen.see("CollectionRequest.fields[].fieldId", fieldId, html.includes(fieldId));
    seen.see(
      "CollectionRequest.fields[].required",
      required,
      text.includes(required ? "required" : "optional"),
    );
    const value = collection.values.find((one) => one.fieldId === fieldId);
    if (value === undefined) continue;
    const control = group.locator("input:checked, select, textarea, input[type=email]");
    const stored = (await control.count()) === 0 ? "" : await control.inputValue();
    seen.see("CollectionValue.fieldId", value.fieldId, asked.has(value.fieldId));
    seen.see(
      "CollectionValue.value",
      value.value,
      stored === (value.status === "accepted" ? (value.value ?? "") : ""),
    );
    const note = noteOf[value.status];
    seen.see("CollectionValue.status", value.status, note === null || note.test(text));
  }
}

async function hasButton(card: Locator, name: string): Promise<boolean> {
  return (await card.getByRole("button", { name, exact: true }).count()) === 1;
}
