/** The questions that the shop itself suggests are answered without hedging, with the right kind of card. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import suggestions from "#lib/shop/suggestions.json" with { type: "json" };
import groups from "#lib/shop/try-lines.json" with { type: "json" };
import type { Answer } from "../answer.ts";
import { openShop } from "../knowledge/shop.ts";
import { languageData, languageOfLocale, languages } from "../language/languages.ts";
import { aTurn } from "../testing/turns.ts";
import { planTurn } from "./plan.ts";

const shop = openShop("https://shop.example");

function answerTo(text: string, locale = "en"): Answer {
  return planTurn(aTurn(text, { locale }), shop).answer;
}

function kindOf({ products, form, offer, citations }: Answer): string {
  if (products) return "products";
  if (form) return `form ${form.collectionId}`;
  return offer ? "person" : citations ? "page" : "text";
}

const hedges = [
  "whichMeaning",
  "unknown",
  "notUnderstood",
  "notUnderstoodAgain",
  "productsNone",
  "whichProduct",
];
/** Lines without an answer in the shop, which show what happens then. */
const without = new Set(["What is the capital of Mongolia?", "Do you sell canoes?"]);

function isHedge({ text, ask }: Answer): boolean {
  const said = ask || text;
  return languages.some((language) =>
    hedges.some((key) => said.startsWith(String(languageData[language].replies[key]))),
  );
}

test.each(Object.entries(suggestions.chat))(
  "answers the suggestions of an empty chat in %s",
  (locale, lines) => {
    const answers = lines.map((line) => answerTo(line, locale));
    expect(answers.map(kindOf)).toEqual(["page", "products", "form find-my-order", "person"]);
    expect(answers.filter(isHedge)).toEqual([]);
    for (const { text } of answers) expect(shop.languageOf(text, "en")).toBe(languageOfLocale(locale));
  },
);

test("answers the questions of the home page", () => {
  const kinds = suggestions.home.map((line) => kindOf(answerTo(line)));
  expect(kinds).toEqual(["page", "products", "form find-my-order", "page", "form workshop-booking"]);
});

test("answers every line of /try and of the README without hedging", () => {
  const lines = groups.flatMap((group) => group.lines.map(({ say }) => say));
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const asked = [...lines, ...Array.from(readme.matchAll(/"([^"]+\?)"/g), ([, line = ""]) => line)];
  expect(asked.filter((line) => !without.has(line) && isHedge(answerTo(line)))).toEqual([]);
});
