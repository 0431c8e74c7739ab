import { expect, test } from "vitest";
import type { Collection, CollectionValue, Field } from "../../../lib/chat-api/collection.ts";
import type { Message } from "../../../lib/chat-api/message.ts";
import { aField, anOrder } from "../../../lib/chat-api/testing/builders.ts";
import { aCollection, aFile, aMessage, aProduct, aRequest } from "../../../lib/engine/testing/builders.ts";
import { testChat as chat } from "../testing/rendered.ts";
import { transcriptText } from "./transcript.ts";

const reference = aField({ id: "reference", label: "Order number" });
const choices = [{ id: "too_big", label: "Too big" }];
const reason = aField({ id: "reason", label: "Reason", type: "choice", choices });
const phone = aField({ id: "phone", label: "Phone" });

const asking = (purpose: string, at: string, ...fields: Field[]) =>
  aMessage({
    createdAt: `2026-06-02T${at}:00.000Z`,
    text: "A few details, please.",
    collection: aCollection({
      fields,
      request: aRequest({
        id: `request-${purpose}`,
        collectionId: "return",
        purpose,
        fields: fields.map(({ id }) => ({ fieldId: id, required: true })),
        canCancel: true,
      }),
    }),
  });

const value = (fieldId: string, text: string | null, status: CollectionValue["status"]): CollectionValue => ({
  fieldId,
  value: text,
  status,
  actor: "visitor",
  updatedAt: "2026-06-02T09:31:00.000Z",
});

const written = (messages: Message[], collection: Collection | null = null) =>
  transcriptText({ messages, collection, missing: null }, chat);

test("has a title, what is missing, and each message with its author, its time and its parts", () => {
  const messages = [
    aMessage({
      role: "visitor",
      text: "Which helmet?",
      files: [aFile({ filename: "a.jpg", byteSize: 2_048 })],
    }),
    aMessage({
      text: "This one.",
      citations: [{ title: "Helmets", url: "https://shop.example/help", updatedAt: null }],
      products: [
        aProduct({ title: "Kestrel", price: { amount: 64, currency: "GBP", was: null, from: false } }),
      ],
      orders: [anOrder({ reference: "TT-1", status: "Packed" })],
    }),
    aMessage({ role: "system", text: "Priya joined.", createdAt: null }),
  ];
  const text = transcriptText({ messages, collection: null, missing: "The beginning." }, chat);
  expect(text).toBe(
    `Conversation with Wren, Shop

The beginning.

You, 2 June 2026 at 10:30
Which helmet?
File: a.jpg (2 kB)

Wren, 2 June 2026 at 10:30
This one.
Sources:
- Helmets <https://shop.example/help>
Kestrel, £64
TT-1: Packed

Notice
Priya joined.
`,
  );
});

test("lists a form with its questions and answers", () => {
  const collection = aCollection({
    fields: [reference, reason],
    values: [value("reference", "TT-100482", "accepted"), value("reason", "too_big", "accepted")],
  });
  const form = (purpose: string) => written([asking(purpose, "09:30", reference, reason)], collection);
  expect(form("Your return")).toContain("Your return:\n- Order number: TT-100482\n- Reason: Too big");
  expect(form("For your return.")).toContain("For your return.\n- Order number: TT-100482\n");
});

test("lists an answer below each form that it answers, unrequested answers at the end", () => {
  const collection = aCollection({
    fields: [reference, reason, phone],
    values: [value("reference", "W-2231", "accepted"), value("phone", "+44 1632 960101", "accepted")],
  });
  const messages = [asking("First", "09:20", reference, reason), asking("Second", "09:30", reference)];
  const text = written(messages, collection);
  expect(text).toContain("First:\n- Order number\n- Reason: Not answered");
  expect(text).toContain("Second:\n- Order number: W-2231");
  expect(text).toContain("Your answers:\n- Phone: +44 1632 960101");
  const before = [asking("First", "09:20", reference), asking("Second", "09:40", reference)];
  const given = written(before, collection);
  expect(given).toContain("First:\n- Order number: W-2231");
  expect(given).toContain("Second:\n- Order number: W-2231");
});

test("lists a form's questions as not answered if the collection is unknown", () => {
  expect(written([asking("Your return", "09:30", reference)])).toContain(
    "Your return:\n- Order number: Not answered",
  );
});

test("says that a message has no text", () => {
  const text = written([aMessage({ text: "" }), aMessage({ text: "", files: [aFile()] })]);
  expect(text.match(/This message has no text\./g)).toHaveLength(1);
});

test("lists a file's name without the characters that change its direction", () => {
  expect(written([aMessage({ files: [aFile({ filename: "invoice\u202egnp.exe" })] })])).toContain(
    "File: invoicegnp.exe (",
  );
});
