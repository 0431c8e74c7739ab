/** ISO 15924 codes of the scripts that run from right to left. */
export const rightToLeftScripts = "Arab Hebr Syrc Thaa Nkoo Adlm".split(" ");

/** The direction of a language's usual script. Not every browser has `Intl.Locale.prototype.getTextInfo`. */
export function directionOf(tag: string): "ltr" | "rtl" {
  return rightToLeftScripts.includes(`${new Intl.Locale(tag).maximize().script}`) ? "rtl" : "ltr";
}
