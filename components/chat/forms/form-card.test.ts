import { createElement } from "react";
import { expect, test } from "vitest";
import type { Collection, CollectionValue } from "../../../lib/chat-api/collection.ts";
import { type Failure, failure } from "../../../lib/engine/failure.ts";
import { type ChatForms, formStateOf, noForms } from "../../../lib/engine/state/forms-state.ts";
import { aChat, aConversation, aMessage } from "../../../lib/engine/testing/builders.ts";
import { aForm } from "../fixtures/parts.ts";
import { chatWith, rendered } from "../testing/rendered.ts";
import { FormCard } from "./form-card.tsx";
import { FormField } from "./form-field.tsx";

interface Scene {
  mode?: "agent" | "resolved";
  syncFailure?: Failure | null;
  isLatest?: boolean;
  forms?: ChatForms;
}

/** Renders the card of this requested form while the chat has this collection. */
function card(
  asked: Collection,
  current: Collection | null,
  { mode = "agent", syncFailure = null, isLatest = true, forms = noForms }: Scene = {},
): string {
  const messages = [aMessage({ collection: asked }), aMessage()];
  const state = aConversation({ chat: aChat({ mode }), collection: current, messages, syncFailure });
  const askedAt = "2026-06-02T09:00:00.000Z";
  return rendered(
    createElement(FormCard, { asked, askedAt, isLatest }),
    chatWith({ conversation: state, forms }),
  );
}

/** The chat's forms, of which this one is in this state. */
const formsWith = (state: Partial<ReturnType<typeof formStateOf>>): ChatForms => ({
  ...noForms,
  forms: new Map([["request-1", { ...formStateOf(noForms, ""), ...state }]]),
});

/** The chat's forms after a submission of this form was refused. */
const formsAfter = (failed: Failure) =>
  formsWith({ progress: { state: "failed", action: "save", failure: failed } });

const stored = (fieldId: string, value: string, more: Partial<CollectionValue> = {}): CollectionValue => ({
  fieldId,
  value,
  status: "accepted",
  actor: "visitor",
  updatedAt: "2026-06-02T09:05:00.000Z",
  ...more,
});

function field(text: string, isMissing: boolean, was: CollectionValue | null = null): string {
  const [email] = aForm("request-1").fields;
  if (email === undefined) throw new Error("the form has no field");
  const entry = { field: email, required: true, stored: was };
  const none = { problem: null, refusal: null, changed: null, isDisabled: false, onType: () => undefined };
  return rendered(createElement(FormField, { entry, index: 0, text, isMissing, ...none }));
}

test("calls a field empty only while it is empty", () => {
  expect(field("", true)).toContain("Please fill this in.");
  expect(field("ada@example.com", true)).not.toContain("Please fill this in.");
  expect(field("ada@example.com", true)).toContain("This answer was not accepted.");
  expect(field("", false)).not.toContain('aria-invalid="true"');
});

test("describes a field by its notes, not by the button beside them", () => {
  const html = field("", false, stored("email", "ada@example.com", { status: "disputed" }));
  const ids = /aria-describedby="([^"]*)"/.exec(html)?.[1]?.split(" ") ?? [];
  const described = ids.map((id) => new RegExp(`<(\\w+) id="${id}".*?</\\1>`).exec(html)?.[0] ?? "").join("");
  expect(described).toContain("Where we write to.");
  expect(described).toContain("We’re not sure about “ada@example.com”.");
  expect(described).not.toContain("<button");
  expect(html).toContain("Use this answer");
});

test("names no note that does not exist", () => {
  for (const was of [null, stored("email", "ada@example.com", { status: "disputed" })]) {
    const html = field("", false, was);
    for (const id of /aria-describedby="([^"]*)"/.exec(html)?.[1]?.split(" ") ?? [])
      expect(html).toContain(`id="${id}"`);
  }
});

test("opens a form only while the channel requests it and the chat is not resolved", () => {
  const asked = aForm("request-1");
  expect(card(asked, asked)).toContain("Send answers");
  expect(card(asked, { ...asked, version: 7 })).toContain('data-open="true"');
  expect(card(asked, aForm("request-2"))).toContain("This form is closed.");
  expect(card(asked, asked, { mode: "resolved" })).toContain("This form is closed.");
});

test("shows the form of a deleted chat without its buttons", () => {
  const asked = aForm("request-1");
  const html = card(asked, asked, { syncFailure: failure("chat_not_found") });
  expect(html).toContain("<textarea");
  expect(html).not.toContain("<button");
});

test("shows neither fields nor an outcome until the collection is read", () => {
  const html = card(aForm("request-1"), null);
  expect(html).toContain("Loading the form…");
  expect(html).not.toContain("Send answers");
  expect(html).not.toContain("closed");
});

test("calls a form complete only once the customer has saved this request", () => {
  const withAnswer = (updatedAt: string) => {
    const values = [stored("email", "ada@example.com", { updatedAt })];
    const asked = aForm("request-1", undefined, { values });
    return { ...asked, request: asked.request && { ...asked.request, complete: true } };
  };
  const saved = withAnswer("2026-06-02T09:05:00.000Z");
  expect(card(saved, saved)).toContain("This form is complete. You can still change your answers.");
  expect(card(saved, saved)).toContain("Save changes");
  // An answer to an earlier request, which the agent asks for again.
  const again = withAnswer("2026-06-02T08:55:00.000Z");
  expect(card(again, again)).not.toContain("complete.");
  expect(card(again, again)).toContain("ada@example.com");
  expect(card(again, again)).toContain("Send answers");
});

test("thanks for answers only until the agent asks again", () => {
  const asked = aForm("request-1");
  const answered = { ...aForm("request-2"), values: [stored("reason", "damaged")] };
  const html = card(asked, answered, { isLatest: false });
  expect(html).toMatch(/<p[^>]* data-end="save"[^>]*>.*Sent<\/p>/);
  expect(html).not.toContain("Thank you");
});

test("marks a sent form with a check and its answers, a closed one with neither", () => {
  const asked = aForm("request-1");
  const submitted = card(asked, { ...asked, request: null, values: [stored("reason", "damaged")] });
  expect(submitted).toContain("Sent. Thank you.");
  expect(submitted).toContain("Damaged");
  expect(submitted.match(/<svg/g)).toHaveLength(1);
  const closed = card(asked, { ...asked, request: null });
  expect(closed).toContain("This form is closed.");
  expect(closed).not.toContain("<svg");
  expect(closed).not.toContain("<dl");
});

test("notes a disputed answer beside its empty field", () => {
  const asked = aForm("request-1", undefined, {
    values: [stored("email", "ada@example.com", { status: "disputed", actor: "teammate" })],
  });
  const html = card(asked, asked);
  expect(html).toContain("We’re not sure about “ada@example.com”.");
  expect(html).toMatch(/<input(?=[^>]*type="email")(?=[^>]*value="")/);
});

test("says who changed an answer while the customer types another", () => {
  const asked = aForm("request-1");
  const forms = formsWith({ typed: new Map([["email", "ada@example.com"]]) });
  const changedBy = (actor: CollectionValue["actor"]) => {
    const values = [stored("email", "bob@example.com", { actor })];
    return card(asked, { ...asked, values }, { forms });
  };
  expect(changedBy("teammate")).toContain("The team changed this to “bob@example.com”.");
  expect(changedBy("visitor")).toContain("This was changed elsewhere to “bob@example.com”.");
});

test("disables all buttons that send while the server asks to wait", () => {
  const asked = aForm("request-1");
  const optional = { ...asked, request: asked.request && { ...asked.request, canSkip: true } };
  const after = (at: number) =>
    card(asked, optional, { forms: formsAfter(failure("rate_limited", { at, retryAfterSeconds: 40 })) });
  const html = after(Date.now());
  expect(html).toMatch(/<button[^>]* disabled[^>]*>Try again in 40 seconds/);
  for (const name of ["Send answers", "Skip", "Cancel"])
    expect(html).toMatch(new RegExp(`<button[^>]* aria-disabled="true">${name}`));
  expect(after(Date.now() - 41_000)).not.toContain('aria-disabled="true"');
});

test("offers to resend answers that a closed chat refused once the chat is open", () => {
  const asked = aForm("request-1");
  const forms = formsAfter(failure("chat_closed"));
  const html = card(asked, asked, { forms });
  expect(html).toMatch(/This could not be sent\..*Try again/);
  expect(html).not.toContain("This chat is closed.");
  expect(card(asked, asked, { mode: "resolved", forms })).not.toContain("This could not be sent.");
});

test("shows the reason of refused answers once, at the field only if the refusal names it", () => {
  const asked = aForm("request-1");
  const refused = { ...asked, error: "We could not find an order for this address.", missing: ["email"] };
  const after = (failed: Failure | null) => {
    const forms = failed === null ? formsWith({ progress: { state: "saved" } }) : formsAfter(failed);
    return card(asked, refused, { forms });
  };
  const named = after(failure("invalid_submission", { field: "/values/email" }));
  for (const html of [named, after(failure("invalid_submission")), after(null)]) {
    expect(html.match(/We could not find an order for this address\./g)).toHaveLength(1);
    expect(html).not.toContain("Saved");
    expect(html.includes('aria-invalid="true"')).toBe(html === named);
  }
});

test("fills in the address from the offer", () => {
  const asked = aForm("request-1", undefined, { pendingAction: "handoff" });
  const request = { confirmationId: "c-1", email: "ada@example.com", locale: "en" };
  const forms = { ...noForms, offer: { ...noForms.offer, request } };
  expect(card(asked, asked, { forms })).toMatch(/<input type="email"[^>]* value="ada@example.com"/);
});

test("names the form by its purpose and gives it one direction", () => {
  const english = aForm("request-1");
  const fields = english.fields.map((one) => ({ ...one, label: "البريد الإلكتروني", description: "" }));
  const arabic = { ...aForm("request-1", "لتجهيز الإرجاع"), fields };
  expect(card(arabic, arabic)).toContain('aria-label="Form: لتجهيز الإرجاع"');
  expect(card(arabic, arabic)).toMatch(/<section[^>]* dir="rtl"/);
  expect(card(english, english)).toMatch(/<section[^>]* dir="ltr"/);
  expect(card(aForm("request-1", " "), null)).toContain('aria-label="Form: Please fill in this form"');
});
