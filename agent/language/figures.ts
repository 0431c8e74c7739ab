/** Numbers in a text that mean something by their form. */

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
