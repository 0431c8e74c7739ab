/**
 * Spelling correction: finds the known word that shares its letters with a misspelt one after deleting a few
 * from each.
 */
export interface Spelling {
  /** The nearest known word within the allowed distance, or undefined. */
  correct(word: string): string | undefined;
}

/** The allowed edit distance. Short words get none: many of them differ by one letter only. */
function allowedDistance(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/** `words`: known words with their priority; the higher wins a tie. */
export function createSpelling(words: ReadonlyMap<string, number>): Spelling {
  const byVariant = new Map<string, string[]>();
  const longest = Math.max(0, ...Array.from(words.keys(), (word) => word.length));
  for (const word of words.keys()) {
    for (const variant of variantsOf(word, allowedDistance(word.length))) {
      const list = byVariant.get(variant);
      if (list) list.push(word);
      else byVariant.set(variant, [word]);
    }
  }
  return {
    correct(word) {
      // A longer word resembles no known one, and the number of its variants grows with the square of its
      // length.
      if (word.length > longest + allowedDistance(longest)) return undefined;
      return nearest(word, byVariant, words);
    },
  };
}

function nearest(
  word: string,
  byVariant: ReadonlyMap<string, readonly string[]>,
  words: ReadonlyMap<string, number>,
): string | undefined {
  const limit = allowedDistance(word.length);
  if (limit === 0) return undefined;
  let best: { word: string; distance: number; weight: number } | undefined;
  const seen = new Set<string>();
  for (const variant of variantsOf(word, limit)) {
    for (const candidate of byVariant.get(variant) ?? []) {
      if (seen.has(candidate)) continue;
      seen.add(candidate);
      const distance = editDistance(word, candidate);
      if (distance > limit || distance > allowedDistance(candidate.length)) continue;
      const hasItsFirstLetter = word[0] === candidate[0];
      // Four letters leave too little to compare: "Mars" is not "bars".
      if (!hasItsFirstLetter && word.length === 4) continue;
      // A wrong first letter is a rare typing error and usually means another word.
      const penalty = hasItsFirstLetter ? 0 : 0.5;
      const weight = words.get(candidate) ?? 0;
      const cost = distance + penalty;
      if (!best || cost < best.distance || (cost === best.distance && weight > best.weight)) {
        best = { word: candidate, distance: cost, weight };
      }
    }
  }
  return best?.word;
}

/** The word and its variants with up to `count` letters deleted. */
function variantsOf(word: string, count: number): Set<string> {
  const variants = new Set([word]);
  let layer = [word];
  for (let round = 0; round < count; round += 1) {
    const next: string[] = [];
    for (const from of layer) {
      for (let index = 0; index < from.length; index += 1) {
        const shorter = from.slice(0, index) + from.slice(index + 1);
        if (!variants.has(shorter)) {
          variants.add(shorter);
          next.push(shorter);
        }
      }
    }
    layer = next;
  }
  return variants;
}

/** Edit distance: letters to change, insert, delete or swap with their neighbour. */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? one.length;
}
