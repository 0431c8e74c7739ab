import { expect, test } from "vitest";
import { topicOf } from "./topic.ts";

test("takes the topic from the customer's first words, not from a greeting", () => {
  const messages = [
    { role: "system", text: "Chat started" },
    { role: "agent", text: "Hello! How can I help?" },
    { role: "visitor", text: "" },
    { role: "visitor", text: "My brakes squeal" },
  ] as const;
  expect(topicOf(messages)).toBe("My brakes squeal");
});

test("takes the topic from the first message if the customer wrote nothing", () => {
  expect(topicOf([{ role: "agent", text: "Hello!" }])).toBe("Hello!");
  expect(topicOf([])).toBe("");
});
