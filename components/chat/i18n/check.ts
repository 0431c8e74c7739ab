import { builtInLanguages, defaultLanguage } from "./built-in.ts";
import texts from "./en.json" with { type: "json" };

export type { Language, Languages, LauncherStrings, StringOverrides, Strings } from "./language.ts";

export interface StringsProblem {
  /** Where in the language: `texts.form.save`, `texts.citations.count.few`. */
  path: string;
  problem: "missing" | "unknown" | "placeholders";
}

const reference = { launcher: builtInLanguages[defaultLanguage].launcher, texts };

/**
 * Lists what a language lacks: texts, plural categories that its tag needs (`Intl.PluralRules`), and
 * placeholders such as `{name}`. Also lists texts that the chat does not know.
 */
export function missingStrings(
  tag: string,
  language: { launcher: unknown; texts: unknown },
): StringsProblem[] {
  const rules = new Intl.PluralRules(tag);
  const all: readonly string[] = rules.resolvedOptions().pluralCategories;
  // The chat shows counts from 1, and none as large as a million: other plural forms are never used.
  const categories = [...new Set([...Array.from({ length: 200 }, (_, at) => rules.select(at + 1)), "other"])];
  return compare(reference, { launcher: language.launcher, texts: language.texts }, "");

  function compare(expected: Tree, found: unknown, path: string): StringsProblem[] {
    if (typeof expected === "string") return compareText(expected, found, path);
    const names = isPlural(expected) ? categories : Object.keys(expected);
    const given = isRecord(found) ? found : {};
    const known = isPlural(expected) ? [...all, "other"] : names;
    return [
      ...names.flatMap((name) =>
        compare(expected[name] ?? expected["other"] ?? {}, given[name], joined(path, name)),
      ),
      ...Object.keys(given)
        .filter((name) => !known.includes(name))
        .map((name) => ({ path: joined(path, name), problem: "unknown" as const })),
    ];
  }
}

/** A JSON Schema (2020-12) of a file that holds `strings` and `languages`, for editors and validators. */
export function stringsSchema(): object {
  const [launcher, texts] = [reference.launcher, reference.texts].map((tree) => schemaOf(tree, true));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      strings: schemaOf({ ...reference.texts, launcher: reference.launcher }, false),
      languages: {
        type: "object",
        additionalProperties: {
          type: "object",
          additionalProperties: false,
          required: ["launcher", "texts"],
          properties: { launcher, texts },
        },
      },
    },
  };
}

type Tree = string | { readonly [name: string]: Tree };

const isPlural = (tree: Tree) => typeof tree !== "string" && "other" in tree;

const pluralCategories = ["zero", "one", "two", "few", "many", "other"];

function schemaOf(tree: Tree, isWhole: boolean): object {
  if (typeof tree === "string") return { type: "string", examples: [tree] };
  const names = isPlural(tree) ? pluralCategories : Object.keys(tree);
  const required = isPlural(tree) ? ["other"] : names;
  return {
    type: "object",
    additionalProperties: false,
    ...(isWhole ? { required } : {}),
    properties: Object.fromEntries(
      names.map((name) => [name, schemaOf(tree[name] ?? tree["other"] ?? "", isWhole)]),
    ),
  };
}

/** A plural's text may leave out the number: Arabic has a word for two. */
function compareText(expected: string, found: unknown, path: string): StringsProblem[] {
  if (typeof found !== "string" || found.trim() === "") return [{ path, problem: "missing" }];
  const isSame = String(placeholdersOf(found)) === String(placeholdersOf(expected));
  return isSame || expected.includes("{count}") ? [] : [{ path, problem: "placeholders" }];
}

function placeholdersOf(text: string): string[] {
  return Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name).sort();
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
