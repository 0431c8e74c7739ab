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
  declined: /Skipped/,
  unknown: /not confirmed yet|No answer is known/,
  disputed: /not sure about/,
} as const;

function seeField(seen: VariantCoverage, field: Field, group: string, text: string): void {
  const control = { text: "<textarea", email: 'type="email"', choice: "" }[field.type];
  seen.seeEach("Field", field, {
    id: group.includes(`data-field-id="${field.id}"`),
    label: text.includes(field.label),
    description: text.includes(field.description),
    type: group.includes(control),
    choices: /<select|type="radio"/.test(group) === field.choices.length > 0,
  });
  for (const choice of field.choices) {
    const { id, label } = choice;
    seen.seeEach("Field.choices[]", choice, {
      id: group.includes(`value="${id}"`),
      label: group.includes(label),
    });
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
  const controls = card.locator("form [data-field-id]");
  const asked = new Set(
    await controls.evaluateAll((all) => all.map((one) => one.getAttribute("data-field-id"))),
  );
  seen.seeEach("Collection", collection, { request: await card.isVisible(), fields: asked.size > 0 });
  seen.seeEach("CollectionRequest", request, {
    purpose: (await textOf(card)).includes(request.purpose),
    fields: asked.size === request.fields.length,
    canSkip: (await hasButton(card, "Skip")) === request.canSkip,
    canCancel: (await hasButton(card, "Cancel")) === request.canCancel,
  });
  for (const requested of request.fields) {
    const { fieldId, required } = requested;
    const field = collection.fields.find(({ id }) => id === fieldId);
    if (field === undefined) throw new Error(`The form asks for ${fieldId}, which is not defined`);
    const group = card
      .locator("form > *")
      .filter({ has: fixtures.page.locator(`[data-field-id="${fieldId}"]`) });
    const html = await group.innerHTML();
    const text = await textOf(group);
    seeField(seen, field, html, text);
    seen.seeEach("CollectionRequest.fields[]", requested, {
      fieldId: html.includes(fieldId),
      required: text.includes(required ? "required" : "optional"),
    });
    const value = collection.values.find((one) => one.fieldId === fieldId);
    if (value === undefined) continue;
    const control = group.locator("input:checked, select, textarea, input[type=email]");
    const stored = (await control.count()) === 0 ? "" : await control.inputValue();
    const note = noteOf[value.status];
    seen.seeEach("CollectionValue", value, {
      fieldId: asked.has(value.fieldId),
      value: stored === (value.status === "accepted" ? (value.value ?? "") : ""),
      status: note === null || note.test(text),
    });
  }
}

async function hasButton(card: Locator, name: string): Promise<boolean> {
  return (await card.getByRole("button", { name, exact: true }).count()) === 1;
}
