import { expect, test } from "vitest";
import type { CollectionValue, Field } from "../../../lib/chat-api/collection.ts";
import { testChat as chat } from "../testing/rendered.ts";
import { optionName, questionName, shownAnswer, shownValue, statusNote } from "./answers.ts";

const size: Field = {
  id: "size",
  label: "Size",
  description: "",
  type: "choice",
  choices: [
    { id: "s", label: "Small" },
    { id: "m", label: "  " },
  ],
};

function aValue(status: CollectionValue["status"], value: string | null): CollectionValue {
  return { fieldId: "size", value, status, actor: "visitor", updatedAt: "2026-06-02T09:00:00.000Z" };
}

test("shows an answer by its option's label, or by its position if it has none", () => {
  expect(shownValue(size, "s", chat)).toBe("Small");
  expect(shownValue(size, "m", chat)).toBe("Option 2");
  expect(shownValue(size, "gone", chat)).toBe("gone");
  expect(optionName(size, 1, chat)).toBe("Option 2");
  expect(questionName({ ...size, label: "" }, 3, chat)).toBe("Question 4");
  expect(questionName(size, 3, chat)).toBe("Size");
});

test("describes stored values that are not answers", () => {
  expect(statusNote(size, aValue("accepted", "s"), chat)).toBeNull();
  expect(statusNote(size, aValue("declined", null), chat)).toBe("Skipped");
  expect(statusNote(size, aValue("disputed", "s"), chat)).toBe(
    "We’re not sure about “Small”. Please check this answer.",
  );
  expect(statusNote(size, aValue("disputed", null), chat)).toBe("We’re not sure about this answer.");
  expect(statusNote(size, aValue("unknown", "s"), chat)).toBe("“Small” is not confirmed yet.");
  expect(statusNote(size, aValue("unknown", null), chat)).toBe("No answer is known yet.");
});

test("shows an accepted answer, a note on another status, or that there is no answer", () => {
  const shown = (stored: CollectionValue | null) => shownAnswer({ field: size, stored }, chat);
  expect(shown(aValue("accepted", "s"))).toBe("Small");
  expect(shown(aValue("disputed", "s"))).toBe("We’re not sure about “Small”. Please check this answer.");
  expect(shown(aValue("accepted", null))).toBe("Not answered");
  expect(shown(null)).toBe("Not answered");
});
