/** Texts with values: `fill` replaces `{name}`; `Intl.PluralRules` chooses plurals. */
import { rightToLeftScripts } from "./direction.ts";

/** Texts by plural category. `other` stands in for a missing one. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** The type of a dictionary with the same keys as the English one. */
export type Texts<English> = English extends string
  ? string
  : English extends { other: string }
    ? Plural
    : { [Name in keyof English]: Texts<English[Name]> };

/** `Texts` of which any may be missing, and any category of a plural. */
export type PartialTexts<Of> = {
  [Name in keyof Of]?: Of[Name] extends string ? string : PartialTexts<Of[Name]>;
};

export const rightToLeft = new RegExp(
  `[${rightToLeftScripts.map((script) => `\\p{Script=${script}}`).join("")}]`,
  "u",
);

/**
 * Each value in a right-to-left text is isolated (U+2068, U+2069); otherwise a Latin name would move the
 * punctuation beside it.
 */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  const isolates = rightToLeft.test(sentence);
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    return isolates ? `\u2068${value}\u2069` : value;
  });
}

/** The text for a number: `{count}` is the number in the customer's digits. */
export function counted(
  sentences: Plural,
  count: number,
  format: { plural(count: number): Intl.LDMLPluralRule; number(value: number): string },
): string {
  return fill(sentences[format.plural(count)] ?? sentences.other, { count: format.number(count) });
}
