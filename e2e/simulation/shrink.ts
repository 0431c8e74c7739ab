/**
 * Leaves decisions out of an episode as long as it still violates the same invariant: first large parts of
 * them, then single ones (delta debugging, Zeller and Hildebrandt 2002).
 */
import { type EpisodeOptions, type EpisodeResult, runEpisode } from "./episode.ts";

export async function shrink(
  options: EpisodeOptions,
  found: EpisodeResult,
  hasTime: () => boolean,
): Promise<EpisodeResult> {
  let smallest = found;
  for (let size = Math.ceil(found.decisions.length / 2); size >= 1; size = Math.floor(size / 2)) {
    let wasLess = true;
    while (wasLess) {
      wasLess = false;
      for (const part of partsOf(smallest.decisions, size)) {
        if (!hasTime()) return smallest;
        const only = new Set(smallest.decisions);
        for (const decision of part) only.delete(decision);
        const result = await runEpisode({ ...options, only });
        if (result.violation?.invariant !== found.violation?.invariant) continue;
        smallest = result;
        wasLess = true;
      }
    }
  }
  return smallest;
}

function partsOf<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let end = all.length; end > 0; end -= size) parts.push(all.slice(Math.max(0, end - size), end));
  return parts;
}

/** The lines of a history about customers and about requests that went wrong. */
export function sentencesOf(history: readonly string[]): string[] {
  return history.filter(
    (line) =>
      /^\S+ (?:customers|world): (?!nothing)/.test(line) ||
      /\([a-z ]+\): (?:arrives|lost before it arrives|\d+ of a proxy)$/.test(line),
  );
}
