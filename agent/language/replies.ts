/** The agent's own words: templates in `languages/<language>.json`, filled with the shop's facts. */
import { type Language, languageData } from "./languages.ts";

/** A reply with its `{values}` filled in. */
export function say(
  language: Language,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const template = languageData[language].replies[key];
  if (typeof template !== "string") throw new Error(`no reply "${key}" in "${language}"`);
  return filled(template, values);
}

/** A text with its `{values}` filled in. */
export function filled(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** A list of replies to pick from. */
export function listOf(language: Language, key: string): readonly string[] {
  const list = languageData[language].replies[key];
  return Array.isArray(list) ? list : [];
}

/** A language's names of these: colours, properties, pages that are not translated. */
export function namesOf(language: Language, key: string): Readonly<Record<string, string>> {
  const names = languageData[language].replies[key];
  return typeof names === "object" && !Array.isArray(names) ? names : {};
}

export function nameOf(language: Language, key: string, name: string): string {
  return namesOf(language, key)[name] ?? name;
}
