/** A help page split into sentences, from the same blocks that the shop's pages show. */
import type * as shop from "#lib/shop/help.ts";
import { plainText } from "#lib/shop/help.ts";
import type { TextBlock } from "#lib/shop/markdown.ts";
import {
  joinSentences,
  type Language,
  languageOfLocale,
  listInSentence,
  splitSentences,
} from "../language/languages.ts";

/** A part of a help page under one heading; the introduction has neither heading nor anchor. */
export interface HelpSection extends Omit<shop.HelpSection, "heading" | "anchor" | "blocks"> {
  heading: string | null;
  anchor: string | null;
  sentences: readonly string[];
}

export interface HelpPage extends Omit<shop.HelpPage, "introduction" | "sections"> {
  sections: readonly HelpSection[];
}

export function readHelpPage({ introduction, sections, ...page }: shop.HelpPage): HelpPage {
  const beginning = { heading: null, anchor: null, topics: [], translates: [], blocks: introduction };
  return {
    ...page,
    sections: [beginning, ...sections]
      .map(({ blocks, ...part }) => ({
        ...part,
        sentences: sentencesIn(blocks, languageOfLocale(page.locale)),
      }))
      .filter(({ sentences }) => sentences.length > 0),
  };
}

/** The sentences of paragraphs; a list is one, with the sentence that introduces it and ends in a colon. */
function sentencesIn(blocks: readonly TextBlock[], language: Language): string[] {
  const sentences: string[] = [];
  for (const block of blocks) {
    if (block.type !== "list") sentences.push(...splitSentences(plainText([block]), language));
    else {
      const items = block.items.map((content) => plainText([{ type: "paragraph", content }]));
      const introduction = /[:：]$/.test(sentences.at(-1) ?? "") ? sentences.splice(-1) : [];
      sentences.push(joinSentences([...introduction, listInSentence(items, language)], language));
    }
  }
  return sentences;
}
