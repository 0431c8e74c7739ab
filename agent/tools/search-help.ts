import { z } from "zod";
import { findHelp } from "../knowledge/find-help.ts";
import { defineTool } from "./tool.ts";

export const searchHelpTool = defineTool({
  input: z.object({ question: z.string() }),
  use({ question }, { shop, turn, language }) {
    const reading = shop.read(question, language);
    // The sections of the likeliest intents, then the whole pages'.
    const likely = shop.intents
      .rank(reading, ({ help }) => Number(help !== undefined))
      .slice(0, 2)
      .flatMap(({ row }) => (row.help ?? []).map((name) => shop.help.section(name, language)));
    const found = [...findHelp(shop.help, reading, { of: likely }), ...findHelp(shop.help, reading)];
    const passages = [...new Set(found.map(({ passage }) => passage))].slice(0, 4);
    const citations = passages.map((passage) => shop.cite(passage, turn.now));
    const report = passages.map((each, at) => ({ ...citations[at], text: each.section.sentences.join(" ") }));
    return { report, shows: { citations: citations.slice(0, 3) } };
  },
});
