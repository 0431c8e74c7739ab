import { createElement } from "react";
import { expect, test } from "vitest";
import { rendered } from "../testing/rendered.ts";
import { WholeWords } from "./whole-words.tsx";

const html = (text: string) => rendered(createElement(WholeWords, { text }));
const plain = (text: string) => html(text).replaceAll(/<[^>]+>/g, "");

test("keeps a single letter before a hyphen with its word", () => {
  expect(html("by e-mail.")).toMatch(/^by <span class="[^"]+">e-mail<\/span>\.$/);
  expect(html("Ihre E-Mail-Adresse")).toMatch(/^Ihre <span class="[^"]+">E-Mail<\/span>-Adresse$/);
  expect(plain("by e-mail or an E-Bike")).toBe("by e-mail or an E-Bike");
});

test("lets other words break, as well as words that may be wider than a line", () => {
  for (const text of ["ready-made", "name-e-mail", `x-${"w".repeat(200)}`, "a - b", ""])
    expect(html(text)).toBe(text);
});
