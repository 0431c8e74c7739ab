/** The words of a language, to which misspelt ones are corrected. */
export class Vocabulary {
  readonly #words = new Set<string>();
  /** Words by each form with one letter removed: words that differ by one error share such a form. */
  readonly #byRest = new Map<string, string[]>();

  add(word: string): void {
    if (word.length < 3 || this.#words.has(word)) return;
    this.#words.add(word);
    if (word.length >= 4)
      for (const rest of restsOf(word)) this.#byRest.set(rest, [...(this.#byRest.get(rest) ?? []), word]);
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }

  /** The word that a misspelt one most probably stands for: a letter is wrong, missing or too many. */
  nearest(word: string): string | undefined {
    if (word.length < 4) return undefined;
    const near = [...restsOf(word)].flatMap((rest) => this.#byRest.get(rest) ?? []);
    const letters = [...word].sort().join();
    const unlike = (other: string) =>
      (other[0] === word[0] ? 0 : 2) + ([...other].sort().join() === letters ? 0 : 1);
    // Another letter makes another word, unless both are vowels: "tent" is no "test", "cheese" no "cheers".
    const isSlip = (other: string) =>
      other.length !== word.length ||
      unlike(other) % 2 === 0 ||
      word.length > 6 ||
      other.replace(/[aeiouy]/g, "") === word.replace(/[aeiouy]/g, "");
    return near
      .filter((other) => (word.length > 4 || other.length > 4 || unlike(other) === 0) && isSlip(other))
      .sort((one, other) => unlike(one) - unlike(other))[0];
  }

  /** The two words that are written together: "cargobike", "fell2". */
  split(word: string, canBeNumber: boolean): readonly [string, string] | undefined {
    for (let at = 3; at < word.length; at += 1) {
      const [one, other] = [word.slice(0, at), word.slice(at)];
      if (this.has(one) && (canBeNumber ? /^\p{N}+$/u.test(other) : this.has(other))) return [one, other];
    }
    return undefined;
  }
}

function restsOf(word: string): Set<string> {
  return new Set([word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]);
}
