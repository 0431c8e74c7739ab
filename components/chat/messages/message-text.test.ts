import { createElement } from "react";
import { expect, test } from "vitest";
import { rendered } from "../testing/rendered.ts";
import { MessageText } from "./message-text.tsx";

test("keeps the letter before a hyphen with its word, even beside a link", () => {
  const html = rendered(createElement(MessageText, { text: "By e-mail: https://shop.example/e-mail" }));
  expect(html).toMatch(/>By <span class="[^"]+">e-mail<\/span>: <a href="https:\/\/shop\.example\/e-mail"/);
});
