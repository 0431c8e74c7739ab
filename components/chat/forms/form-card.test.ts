import { createElement } from "react";
import { expect, test } from "vitest";
import type { Collection, CollectionValue } from "../../../lib/chat-api/collection.ts";
import { type Failure, failure } from "../../../lib/engine/failure.ts";
import { keepFormRefusal } from "../../../lib/engine/forms/form-refusal.ts";
import { tabStorage } from "../../../lib/engine/storage/storage.ts";
import { aChat, aConversation, aMessage } from "../../../lib/engine/testing/builders.ts";
import { inertRuntime } from "../../../lib/engine/testing/inert-runtime.ts";
import { withSessionStorage } from "../../../lib/engine/testing/session-storage.ts";
import { aForm } from "../fixtures/parts.ts";
import { rendered } from "../testing/rendered.ts";
import { FormCard } from "./form-card.tsx";
import { FormField } from "./form-field.tsx";

withSessionStorage();

/** Renders the card of this requested form while the chat has this collection. */
function card(
  asked: Collection,
  current: Collection | null,
  mode: "agent" | "resolved" = "agent",
  syncFailure: Failure | null = null,
  isLatest = true,
): string {
  const messages = [aMessage({ collection: asked }), aMessage()];
  const state = aConversation({ chat: aChat({ mode }), collection: current, messages, syncFailure });
  const askedAt = "2026-06-02T09:00:00.000Z";
  return rendered(createElement(FormCard, { runtime: inertRuntime(state), asked, askedAt, isLatest }));
}

const stored = (fieldId: string, value: string, more: Partial<CollectionValue> = {}): CollectionValue => ({
  fieldId,
  value,
  status: "accepted",
  actor: "visitor",
  updatedAt: "2026-06-02T09:05:00.000Z",
  ...more,
});

function field(text: string, isMissing: boolean): string {
  const [email] = aForm("request-1").fields;
  if (email === undefined) throw new Error("the form has no field");
  const entry = { field: email, required: true, stored: null };
  const props = { entry, index: 0, text, isMissing, fault: null, changed: null, isDisabled: false };
  return rendered(createElement(FormField, { ...props, onType: () => undefined }));
}

test("calls a field empty only while it is empty", () => {
  expect(field("", true)).toContain("Please fill this in.");
  expect(field("ada@example.com", true)).not.toContain("Please fill this in.");
  expect(field("ada@example.com", true)).toContain("This answer was not accepted.");
  expect(field("", false)).not.toContain('aria-invalid="true"');
});

test("opens a form only while the channel requests it and the chat is not resolved", () => {
  const asked = aForm("request-1");
  expect(card(asked, asked)).toContain("Send answers");
  expect(card(asked, { ...asked, version: 7 })).toContain('data-open="true"');
  expect(card(asked, aForm("request-2"))).toContain("This form is closed.");
  expect(card(asked, asked, "resolved")).toContain("This form is closed.");
});

test("shows the form of a deleted chat without its buttons", () => {
  const asked = aForm("request-1");
  const html = card(asked, asked, "agent", failure("chat_not_found"));
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
  const html = card(asked, answered, "agent", null, false);
  expect(html).toMatch(/<p[^>]* data-end="save"[^>]*>.*Sent<\/p>/);
  expect(html).not.toContain("Thank you");
});

test("marks a sent form with a check and its answers, a closed one with neither", () => {
  const asked = aForm("request-1");
  const sent = card(asked, { ...asked, request: null, values: [stored("reason", "damaged")] });
  expect(sent).toContain("Sent. Thank you.");
  expect(sent).toContain("Damaged");
  expect(sent.match(/<svg/g)).toHaveLength(1);
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

test("continues the server's wait from the tab's storage", () => {
  const asked = aForm("request-1");
  const { chatId } = aConversation();
  const keep = (at: number) => {
    const refusal = failure("rate_limited", { at, retryAfterSeconds: 40 });
    keepFormRefusal(chatId, "request-1", { action: "save", failure: refusal });
  };
  keep(Date.now());
  const optional = { ...asked, request: asked.request && { ...asked.request, canSkip: true } };
  expect(card(asked, optional)).toMatch(/<button[^>]* disabled[^>]*>Try again in 40 seconds/);
  for (const name of ["Send answers", "Skip", "Cancel"])
    expect(card(asked, optional)).toMatch(new RegExp(`<button[^>]* aria-disabled="true">${name}`));
  keep(Date.now() - 41_000);
  expect(card(asked, optional)).not.toContain("Try again");
  expect(card(asked, optional)).not.toContain('aria-disabled="true"');
});

test("offers to resend answers that a closed chat refused once the chat is open", () => {
  const asked = aForm("request-1");
  const { chatId } = aConversation();
  keepFormRefusal(chatId, "request-1", { action: "save", failure: failure("chat_closed") });
  expect(card(asked, asked)).toMatch(/This could not be sent\..*Try again/);
  expect(card(asked, asked)).not.toContain("This chat is closed.");
  expect(card(asked, asked, "resolved")).not.toContain("This could not be sent.");
});

test("shows the address from the offer instead of asking for it again", () => {
  const asked = aForm("request-1", undefined, { pendingAction: "handoff" });
  expect(card(asked, asked)).toContain('type="email"');
  const { chatId } = aConversation();
  tabStorage.write(`handoff:${chatId}`, JSON.stringify({ email: "ada@example.com" }));
  const html = card(asked, asked);
  expect(html).not.toContain('type="email"');
  expect(html).toMatch(/ada@example\.com<\/bdi>.*aria-label="Edit: [^"]+"/);
  const disputed = { ...asked, values: [stored("email", "bob@example.com", { status: "disputed" })] };
  expect(card(asked, disputed)).toContain('type="email"');
  expect(card(asked, { ...asked, pendingAction: null })).toContain('type="email"');
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
