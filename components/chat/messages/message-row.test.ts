import { createElement } from "react";
import { expect, test } from "vitest";
import type { Message } from "../../../lib/chat-api/message.ts";
import { aCollection, aFile, aMessage } from "../../../lib/engine/testing/builders.ts";
import { rendered } from "../testing/rendered.ts";
import { MessageRow } from "./message-row.tsx";

function shown(parts: Partial<Message>, isAnswerable = true): string {
  const message = aMessage({ text: "", ...parts });
  const place = { startsGroup: true, endsGroup: true, showsTime: true };
  const row = { kind: "message", id: message.id, message, ...place } as const;
  return rendered(createElement(MessageRow, { row, isAnswerable, isLatestForm: false }));
}

test("says that a message has no text if nothing else is in it", () => {
  const note = "This message has no text.";
  expect(shown({})).toContain(note);
  expect(shown({ text: " \n" })).toContain(note);
  expect(shown({ collection: aCollection() })).toContain(note);
  expect(shown({ text: "Yes." })).not.toContain(note);
  expect(shown({ files: [aFile()] })).not.toContain(note);
  expect(shown({ choices: ["Yes", "No"] })).not.toContain(note);
  expect(shown({ choices: ["Yes", "No"] }, false)).toContain(note);
});
