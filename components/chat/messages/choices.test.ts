import { createElement } from "react";
import { expect, test } from "vitest";
import { limits } from "../../../lib/chat-api/limits.ts";
import { rendered } from "../testing/rendered.ts";
import { Choices } from "./choices.tsx";

const offered = (choices: readonly string[]) =>
  Array.from(
    rendered(createElement(Choices, { choices, onPick: () => undefined })).matchAll(/<bdi>(.*?)<\/bdi>/g),
    ([, text]) => text,
  );

test("offers each choice once, and only what can be sent as a message", () => {
  const longest = "x".repeat(limits.messageTextLength);
  expect(offered(["Yes", "No", "Yes", " ", longest, `${longest}x`])).toEqual(["Yes", "No", longest]);
  expect(offered(Array.from({ length: 40 }, (_, index) => `Size ${index}`))).toHaveLength(40);
  expect(offered([""])).toEqual([]);
});
