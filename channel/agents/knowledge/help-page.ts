import { z } from "zod";
import { splitSentences } from "./sentences.ts";

/** A part of a help page under one heading; the introduction has no anchor. */
export interface HelpSection {
  heading: string | null;
  anchor: string | null;
  /** More topics of this section, in words. */
  topics: readonly string[];
  sentences: readonly string[];
  /** For each sentence that is an item of a list, what introduces the list ("these cannot come back:"). */
  leads: readonly (string | null)[];
}

export interface HelpPage {
  slug: string;
  title: string;
  locale: string;
  /** Relative to the shop's address; null for a source that has none. */
  path: string | null;
  /** ISO 8601, `today`, or null when unknown. */
  updatedAt: string | null;
  topics: readonly string[];
  summary: string;
  sections: readonly HelpSection[];
}

const FrontMatter = z.object({
  slug: z.string(),
  title: z.string(),
  locale: z.string(),
  path: z.string().nullable(),
  updatedAt: z.union([z.literal("today"), z.iso.datetime()]).nullable(),
  topics: z.array(z.string()),
  sectionTopics: z.record(z.string(), z.array(z.string())),
  summary: z.string(),
});

/** One page from its file's text. Throws with the `source` when it is not as described. */
export function parseHelpPage(text: string, source: string): HelpPage {
  const match = /^---\n(.*?)\n---\n(.*)$/s.exec(text.replaceAll("\r\n", "\n"));
  if (!match) throw new Error(`${source}: no block between two --- lines`);
  const meta = FrontMatter.safeParse(parseFrontMatter(match[1] ?? "", source));
  if (!meta.success) throw new Error(`${source}: ${z.prettifyError(meta.error)}`);
  const { sectionTopics, ...page } = meta.data;
  return { ...page, sections: parseSections(match[2] ?? "", sectionTopics, page.locale) };
}

function parseFrontMatter(block: string, source: string): Record<string, unknown> {
  return Object.fromEntries(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      if (colon < 0) throw new Error(`${source}: not "key: value": ${line}`);
      return [line.slice(0, colon), JSON.parse(line.slice(colon + 1))];
    }),
  );
}

function parseSections(
  body: string,
  sectionTopics: Readonly<Record<string, readonly string[]>>,
  locale: string,
): HelpSection[] {
  return body
    .split(/^## /m)
    .map((part, index) => {
      const [first = "", ...rest] = part.split("\n");
      const heading = index === 0 ? null : first.trim();
      const anchor = heading === null ? null : anchorOf(heading);
      const statements = statementsIn(index === 0 ? part : rest.join("\n"), locale);
      return {
        heading,
        anchor,
        topics: sectionTopics[anchor ?? ""] ?? [],
        sentences: statements.map((statement) => statement.text),
        leads: statements.map((statement) => statement.lead),
      };
    })
    .filter((section) => section.sentences.length > 0);
}

interface Statement {
  text: string;
  lead: string | null;
}

/** Paragraphs by sentence, lists by item. A sentence that ends in a colon introduces the items after it. */
function statementsIn(markdown: string, locale: string): Statement[] {
  const statements: Statement[] = [];
  let lead: string | null = null;
  for (const block of markdown.split(/\n\s*\n|\n(?=\s*[-*]\s)/)) {
    const item = /^\s*[-*]\s+(.*)$/s.exec(block);
    if (item) {
      statements.push({ text: plainText(item[1] ?? ""), lead });
      continue;
    }
    const sentences = splitSentences(plainText(block), locale);
    const last = sentences.at(-1);
    lead = last !== undefined && /[:：]$/.test(last) ? last : null;
    statements.push(
      ...sentences.slice(0, lead === null ? undefined : -1).map((text) => ({ text, lead: null })),
    );
  }
  return statements.filter((statement) => statement.text !== "");
}

/** The anchor that the shop's pages give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** What a reader sees of the markdown: links by their words, no emphasis marks. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]{1,3}([^\s*_`](?:[^*_`]*[^\s*_`])?)[*_`]{1,3}/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}
