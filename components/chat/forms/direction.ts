import { rightToLeft } from "../i18n/strings.ts";

/**
 * The direction of most letters in a form's texts, so that the whole form has one direction whatever the
 * page's is. With `dir="auto"` each label would have its own. Undefined if there are no letters.
 */
export function directionOfText(texts: readonly string[]): "ltr" | "rtl" | undefined {
  const text = texts.join(" ");
  const letters = count(text, /\p{L}/u);
  if (letters === 0) return undefined;
  return count(text, rightToLeft) > letters / 2 ? "rtl" : "ltr";
}

function count(text: string, pattern: RegExp): number {
  return text.match(new RegExp(pattern, "gu"))?.length ?? 0;
}
