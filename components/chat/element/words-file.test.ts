import { expect, test } from "vitest";
import { builtInLanguages } from "../i18n/built-in.ts";
import { wordsOf } from "./words-file.ts";

/** Returns what is read of the file, and what is reported. */
function read(file: unknown) {
  const problems: string[] = [];
  return { ...wordsOf(file, (problem) => problems.push(problem)), problems };
}

const polish = { launcher: { open: "Napisz do nas" }, texts: {} };

test("fills the button's texts of a language with English ones", () => {
  const { languages, problems } = read({ languages: { pl: polish } });
  const english = builtInLanguages.en.launcher;
  expect(languages?.["pl"]?.launcher).toEqual({ ...english, ...polish.launcher });
  expect(problems).toEqual([]);
});

test("keeps the other parts of a file with parts of a wrong type, and reports those", () => {
  const welcome = { title: "Cześć" };
  const { strings, languages, problems } = read({
    strings: { welcome, launcher: { open: 5, failed: "Oops" } },
    languages: {
      pl: polish,
      cs: { ...polish, launcher: { open: { one: "1" } } },
      sk: { ...polish, launcher: 5 },
      hu: { ...polish, texts: undefined },
      de: null,
    },
  });
  expect(strings).toEqual({ welcome, launcher: { failed: "Oops" } });
  expect(Object.keys(languages ?? {})).toEqual(["pl", "cs", "sk"]);
  expect(languages?.["cs"]?.launcher).toEqual(builtInLanguages.en.launcher);
  expect(problems).toEqual([
    "launcher.open is no text",
    "cs.launcher.open is no text",
    "sk.launcher is no object",
    "hu has no texts",
    "de is no object",
    "de has no launcher",
  ]);
});

test.each([null, "words", 5])("reads nothing of the file %j", (file) => {
  expect(read(file)).toEqual({ strings: {}, languages: {}, problems: ["the file is no object"] });
});

test.each([[[]], ["words"], [5]])("reads no strings and no languages from %j", (parts) => {
  expect(read({ strings: parts, languages: parts })).toMatchObject({ strings: {}, languages: {} });
});
