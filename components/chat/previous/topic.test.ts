import { expect, test } from "vitest";
import { topicOf } from "./topic.ts";

test("a chat is about the customer's first words, not the channel's greeting", () => {
  const messages = [
    { role: "system", text: "Chat started" },
    { role: "agent", text: "Hello! How can I help?" },
    { role: "visitor", text: "" },
    { role: "visitor", text: "My brakes squeal" },
  ] as const;
  expect(topicOf(messages)).toBe("My brakes squeal");
});

test("where the customer has said nothing, it is about what was said first", () => {
  expect(topicOf([{ role: "agent", text: "Hello!" }])).toBe("Hello!");
  expect(topicOf([])).toBe("");
});
