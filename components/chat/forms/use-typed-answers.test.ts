import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { FormEntry } from "../../../lib/engine/forms/form.ts";
import { withSessionStorage } from "../../../lib/engine/testing/session-storage.ts";
import { useTypedAnswers } from "./use-typed-answers.ts";

withSessionStorage();

const entry: FormEntry = {
  field: { id: "name", label: "Name", description: "", type: "text", choices: [] },
  required: true,
  stored: null,
};

/** A form of this chat, in which the customer types `text` unless the field has a value. */
function Form({ chatId, text }: { chatId: string; text: string }) {
  const { typed, type } = useTypedAnswers(chatId, "request-1", new Map());
  if (text !== "" && typed.size === 0) type(entry, text);
  return typed.get("name")?.text ?? "";
}

test("keeps typed values apart by chat when two forms have the same ID", () => {
  const shown = (chatId: string, text = "") => renderToStaticMarkup(createElement(Form, { chatId, text }));
  expect(shown("chat_number_1", "Maya")).toBe("Maya");
  expect(shown("chat_number_2")).toBe("");
  expect(shown("chat_number_1")).toBe("Maya");
});
