import { z } from "zod";
import type { Citation } from "#lib/chat-api/message.ts";
import { findHelp, type HelpAnswer, inLanguage } from "../knowledge/find-help.ts";
import { sectionNamed } from "../knowledge/help-index.ts";
import { lengthsIn } from "../understanding/slots.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({
  question: z.string().describe("What the customer wants to know, in their own words and language."),
});
type Input = z.infer<typeof Input>;

export interface HelpFinding extends HelpAnswer {
  citation: Citation;
}

export const searchHelpTool: Tool<Input, HelpFinding[]> = {
  name: "search_help",
  description:
    "Finds what the shop's help pages say: delivery, returns, warranty, payment, workshop, sizes, shops and hours, privacy. Use it for every question about how the shop does things; say nothing about them that it does not return.",
  input: Input,
  run({ question }, { shop, turn, language }) {
    const reading = shop.read(question, language);
    const asked = { reading, lengthsCm: lengthsIn(question) };
    // The sections of the likeliest intents, then what the index finds.
    const likely = shop.intents
      .rank(reading, ({ help }) => Number(help !== undefined))
      .slice(0, 2)
      .flatMap(({ row }) => (row.help ?? []).map((section) => sectionNamed(section, shop.help)));
    const found = [
      ...findHelp(shop.help, asked, inLanguage(shop.help, likely, language)),
      ...findHelp(shop.help, asked),
    ];
    return [...new Map(found.map((answer) => [answer.passage, answer])).values()].map((answer) => ({
      ...answer,
      citation: shop.cite(answer.passage, turn.now),
    }));
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
