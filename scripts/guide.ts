/** Reads the code blocks of docs/integrate.md, so that `npm run test:integrate` runs what the guide says. */

export interface CodeBlock {
  /** The `##` heading above it. */
  section: string;
  language: string;
  /** The file that the block contains or changes; undefined for commands and examples. */
  file: string | undefined;
  text: string;
}

const fence = /^```(?<language>\w+)(?: title="(?<file>[^"]+)")?\n(?<text>[\s\S]*?)^```$/gm;

export function codeBlocks(markdown: string): CodeBlock[] {
  const sections = markdown.split(/^## /m).slice(1);
  return sections.flatMap((part) => {
    const section = part.slice(0, part.indexOf("\n")).trim();
    return Array.from(part.matchAll(fence), ({ groups }) => ({
      section,
      language: groups?.["language"] ?? "",
      file: groups?.["file"],
      text: groups?.["text"] ?? "",
    }));
  });
}

/** Applies a `diff` block: its context and removed lines must occur in the file in this order. */
export function applyDiff(original: string, diff: string): string {
  const lines = original.split("\n");
  let at = 0;
  for (const line of diff.trimEnd().split("\n")) {
    const text = line.slice(1);
    if (line.startsWith("@@")) continue;
    if (line.startsWith("+")) {
      lines.splice(at, 0, text);
      at += 1;
      continue;
    }
    const found = lines.indexOf(text, at);
    if (found < 0) throw new Error(`The guide changes a line that the file does not have: ${text}`);
    if (line.startsWith("-")) lines.splice(found, 1);
    at = line.startsWith("-") ? found : found + 1;
  }
  return lines.join("\n");
}

/** Lines that the host writes: without blank lines and comments. */
export function countLines(blocks: readonly CodeBlock[]): number {
  return blocks
    .flatMap(({ language, text }) => {
      const lines = text.split("\n");
      return language === "diff"
        ? lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1))
        : lines;
    })
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}
