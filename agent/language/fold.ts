/** Maximum length after NFKC, which turns one character into up to eighteen. */
const longestFolded = 4_000;

/** Letters that are written in two ways. */
const alike: Readonly<Record<string, string>> = {
  ...{ "’": "'", "‘": "'", ʼ: "'", "`": "'", "´": "'" },
  ...{ ß: "ss", œ: "oe", æ: "ae", ى: "ي", ة: "ه" },
};

/**
 * Normalises text for comparison: one width and case, no accents or Arabic vowel marks, hiragana for
 * katakana, one kind of apostrophe. "Größe", "GROSSE" and "grosse" become equal, as do "ヘルメット" and "へるめっと".
 */
export function fold(text: string): string {
  if (/^[ -_a-~]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .slice(0, longestFolded)
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f\u0640\u064b-\u065f\u0670]/g, "")
    .normalize("NFC")
    .replace(/[’‘ʼ`´ßœæىة]/g, (letter) => alike[letter] ?? letter)
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[ァ-ヶ]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0x60));
}

/**
 * How much of a message the agent reads, in UTF-16 code units. The cost grows faster than the length, and
 * nearly all messages are shorter.
 */
const longest = 800;

/** Keeps the beginning and the end of a longer text: most customers state their request at one of the two. */
export function boundedText(text: string): string {
  if (text.length <= longest) return text;
  const beginning = text.slice(0, longest / 2);
  const end = text.slice(-longest / 2);
  // Does not cut words in half, in languages with spaces.
  return `${beginning.replace(/\s\S*$/u, "")}\n${end.replace(/^\S*\s/u, "")}`.toWellFormed();
}
