import { z } from "zod";
import type { Citation } from "#lib/chat-api/message.ts";
import { findHelp, type HelpAnswer } from "../knowledge/find-help.ts";
import { defineTool } from "./tool.ts";

const Input = z.object({
  question: z.string().describe("What the customer wants to know, in their own words and language."),
});

export interface HelpFinding extends HelpAnswer {
  citation: Citation;
}

export const searchHelpTool = defineTool<z.infer<typeof Input>, HelpFinding[]>({
  name: "search_help",
  description:
    "Finds what the shop's help pages say: delivery, returns, warranty, payment, workshop, sizes, shops and hours, privacy. Use it for every question about how the shop does things; say nothing about them that it does not return.",
  input: Input,
  run({ question }, { shop, turn, language }) {
    const reading = shop.read(question, language);
    // The sections of the likeliest intents, then what the index finds.
    const likely = shop.intents
      .rank(reading, ({ help }) => Number(help !== undefined))
      .slice(0, 2)
      .flatMap(({ row }) => (row.help ?? []).map((name) => shop.help.section(name, language)));
    const found = [...findHelp(shop.help, reading, { of: likely }), ...findHelp(shop.help, reading)];
    const answers = new Map(found.map((answer) => [answer.passage, answer])).values();
    return Array.from(answers, (each) => ({ ...each, citation: shop.cite(each.passage, turn.now) }));
  },
  report: (findings) =>
    findings.slice(0, 4).map(({ citation: { title, url }, passage }) => ({
      ...{ title, url, text: passage.section.sentences.join(" ") },
    })),
  shows: (findings) => ({ citations: findings.slice(0, 3).map((finding) => finding.citation) }),
});
