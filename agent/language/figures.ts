/** Numbers in a text that mean something by their form. */
import { fold } from "./fold.ts";
import { byLanguage, type Language, languageData } from "./languages.ts";

/** Order references, in the shop's own form ("TT-100482"). */
export function referencesIn(text: string): string[] {
  const found = text.matchAll(/\b(TT|W|C|X)[\s-]?(\d{3,6})\b/giu);
  return [...new Set(Array.from(found, ([, letters, number]) => `${letters?.toUpperCase()}-${number}`))];
}

/** Lengths: "172 cm", "1.80 m", "1m65", "57cm". */
export const lengthPattern = /\d\s?(?:cm\b|センチ|سم)|\b[12][.,m]\s?\d{2}\s?m?\b/iu;

/** Reads "1,899", "1.899" and "1899" as the same amount, and the pence of "19.50". */
export function parseAmount(written: string): number {
  const plain = written.replace(/[.,]$/, "").replace(/[.,](?=\d{3}(?:\D|$))/g, "");
  return Number(plain.replace(",", "."));
}

const numberWords = byLanguage((language) => {
  const { numberJoins, space } = languageData[language];
  const numbers = new Map(
    Object.entries(languageData[language].numbers).map(([word, value]) => [fold(word), value]),
  );
  const word = [...numbers.keys()].sort((one, other) => other.length - one.length).join("|");
  const [start, end] = space === "" ? ["", ""] : ["(?<!\\p{L})", "(?!\\p{L})"];
  const figure = "\\d+(?:[.,]\\d+)*";
  const whole = `${start}(?:${figure}${numberJoins})?(?:${word})(?:${numberJoins}(?:${figure}|${word}))*${end}`;
  return { numbers, whole: new RegExp(whole, "gu"), part: new RegExp(`${figure}|${word}`, "gu") };
});

/** A folded text with its numbers in digits: "two hundred quid" is "200 quid", "2.5k" is "2500". */
export function inDigits(folded: string, language: Language): string {
  const { numbers, whole, part } = numberWords[language];
  return folded.replace(whole, (written) => {
    let [sum, hundreds, ones] = [0, 0, 0];
    for (const [each] of written.matchAll(part)) {
      const value = numbers.get(each) ?? parseAmount(each);
      if (value === 1000 || value === 10_000) {
        sum += (hundreds + ones || 1) * value;
        [hundreds, ones] = [0, 0];
      } else if (value === 100 || (value === 10 && languageData[language].space === "")) {
        hundreds += (ones || 1) * value;
        ones = 0;
      } else ones += value;
    }
    return String(sum + hundreds + ones);
  });
}
