/** A help page split into sentences, from the same blocks that the shop's pages show. */
import type * as shop from "#lib/shop/help.ts";
import type { Inline, TextBlock } from "#lib/shop/markdown.ts";
import { splitSentences } from "./sentences.ts";

/** A part of a help page under one heading; the introduction has no anchor. */
export interface HelpSection {
  heading: string | null;
  anchor: string | null;
  /** Additional topics of the section, in words. */
  topics: readonly string[];
  sentences: readonly string[];
  /** For each sentence: the introduction of its list ("these cannot come back:"), or null outside a list. */
  leads: readonly (string | null)[];
}

export interface HelpPage extends Omit<shop.HelpPage, "introduction" | "sections"> {
  sections: readonly HelpSection[];
}

export function readHelpPage({ introduction, sections, ...page }: shop.HelpPage): HelpPage {
  const parts = [{ heading: null, anchor: null, topics: [], blocks: introduction }, ...sections];
  return {
    ...page,
    sections: parts
      .map(({ heading, anchor, topics, blocks }) => {
        const statements = statementsIn(blocks, page.locale);
        return {
          heading,
          anchor,
          topics,
          sentences: statements.map((statement) => statement.text),
          leads: statements.map((statement) => statement.lead),
        };
      })
      .filter((section) => section.sentences.length > 0),
  };
}

interface Statement {
  text: string;
  lead: string | null;
}

/**
 * Splits paragraphs into sentences and lists into items. A sentence that ends in a colon introduces the items
 * after it.
 */
function statementsIn(blocks: readonly TextBlock[], locale: string): Statement[] {
  const statements: Statement[] = [];
  let lead: string | null = null;
  for (const block of blocks) {
    if (block.type === "list") {
      for (const item of block.items) statements.push({ text: plainText(item), lead });
      continue;
    }
    const sentences = splitSentences(plainText(block.content), locale);
    const last = sentences.at(-1);
    lead = last !== undefined && /[:：]$/.test(last) ? last : null;
    const told = lead === null ? sentences : sentences.slice(0, -1);
    statements.push(...told.map((text) => ({ text, lead: null })));
  }
  return statements.filter((statement) => statement.text !== "");
}

function plainText(content: readonly Inline[]): string {
  return content
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}
