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
