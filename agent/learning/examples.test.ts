import { expect, test } from "vitest";
import { readCases } from "../evaluation/evaluate.ts";
import { languages } from "../language/languages.ts";
import { readExamples } from "./examples.ts";
import { rows } from "./intents.ts";
import { hashed, learn, probabilities } from "./softmax.ts";

const examples = readExamples();

/** The words of a sentence in order: equal sentences differ in punctuation, case or word order only. */
function outline(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(" ");
}

test("no sentence is an example of two intents, or twice of one", () => {
  const byOutline = Map.groupBy(examples, ({ language, text }) => `${language} ${outline(text)}`);
  const repeated = [...byOutline.values()].filter(
    (same) => same.length > 1 && outline(same[0]?.text ?? "") !== "",
  );
  expect(repeated.map((same) => same.map(({ intent, text }) => `${intent}: ${text}`))).toEqual([]);
});

test("no example is a sentence of the held-out dialogues", async () => {
  const heldOut = await readCases(new URL("../evaluation/held-out.json", import.meta.url));
  const said = new Set(
    heldOut.flatMap(({ dialogue }) => dialogue.flatMap((step) => ("say" in step ? outline(step.say) : []))),
  );
  expect(examples.filter(({ text }) => said.has(outline(text)))).toEqual([]);
});

test("no sentences of two intents differ by a letter only", () => {
  const known = new Map<string, string>();
  const near: string[] = [];
  for (const { language, intent, text } of examples) {
    const words = outline(text);
    const shorter = Array.from({ length: words.length }, (_, at) => words.slice(0, at) + words.slice(at + 1));
    for (const key of words.length < 10 ? [] : [words, ...shorter].map((each) => `${language} ${each}`)) {
      if (known.has(key) && known.get(key) !== intent) near.push(`${intent} and ${known.get(key)}: ${text}`);
      known.set(key, intent);
    }
  }
  expect(near).toEqual([]);
});

test("every intent has examples in English, and every example an intent, a language and an author", () => {
  const english = new Set(examples.filter(({ language }) => language === "en").map(({ intent }) => intent));
  expect(Object.keys(rows).filter((intent) => !english.has(intent))).toEqual([]);
  const known = new Set<string>([...languages, "other"]);
  expect(
    examples.filter(
      ({ intent, language, author }) => !(intent in rows) || !known.has(language) || author === "",
    ),
  ).toEqual([]);
});

test("learns to tell labels apart, the same way every time", () => {
  const train = () =>
    learn(
      ["red apple", "green apple", "red bus", "blue bus"].map((text, index) => ({
        features: hashed(text.split(" ")),
        label: index < 2 ? 0 : 1,
      })),
      2,
    );
  const [one, other] = [train(), train()];
  expect(probabilities(one, hashed(["yellow", "bus"]))[1]).toBeGreaterThan(0.5);
  expect(one).toEqual(other);
});
