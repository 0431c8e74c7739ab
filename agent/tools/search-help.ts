import { z } from "zod";
import type { Citation } from "#lib/chat-api/message.ts";
import type { HelpAnswer } from "../knowledge/search-help.ts";
import { isConcept } from "../language/concept-lexicon.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({
  question: z.string().describe("What the customer wants to know, in their own words and language."),
  topics: z
    .array(z.string())
    .optional()
    .describe("Concepts that the question leaves out because they were named before."),
});
type Input = z.infer<typeof Input>;

export interface HelpFinding extends HelpAnswer {
  citation: Citation;
}

/**
 * Minimum share of the question that a passage must cover: others are about something else, and the agent
 * says that it does not know. Measured: half costs 0.4 % of the labelled sentences and none of the held-out.
 */
const enough = 0.5;

export const searchHelpTool: Tool<Input, HelpFinding[]> = {
  name: "search_help",
  description:
    "Finds what the shop's help pages say: delivery, returns, warranty, payment, workshop, sizes, shops and hours, privacy. Use it for every question about how the shop does things; say nothing about them that it does not return.",
  input: Input,
  run(input, { shop, turn, language }) {
    const topics = (input.topics ?? []).filter(isConcept);
    return shop
      .ask(shop.read(input.question, language), topics)
      .filter((answer) => answer.coverage >= enough)
      .map((answer) => ({ ...answer, citation: shop.cite(answer.passage, turn.now) }));
  },
  report: (findings) =>
    findings.slice(0, 4).map(({ citation, passage }) => ({
      title: citation.title,
      url: citation.url,
      text: passage.section.sentences.join(" "),
    })),
  events: (findings) => [
    { type: "citations", citations: findings.slice(0, 3).map((finding) => finding.citation) },
  ],
};
