/** Maximum length after NFKC, which turns one character into up to eighteen. */
const longestFolded = 4_000;

const digitZeros = [0x0660, 0x06f0];

/**
 * Normalises text for comparison: one width and case, no accents or Arabic vowel marks, hiragana for
 * katakana, one kind of apostrophe. "Größe", "GROSSE" and "grosse" become equal, as do "ヘルメット" and "へるめっと".
 */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .slice(0, longestFolded)
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f\u0640\u064b-\u065f\u0670]/g, "")
    .normalize("NFC")
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, asciiDigit)
    .replace(/[ァ-ヶ]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0x60));
}

function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = digitZeros.findLast((start) => code >= start) ?? code;
  return String(code - zero);
}
