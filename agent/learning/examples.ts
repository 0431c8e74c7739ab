/** The sentences that the agent learns from: `examples/<language>.tsv`, one a line. */
import { readdirSync, readFileSync } from "node:fs";
import { languageOfLocale } from "../language/languages.ts";
import type { Name } from "../language/lexicon.ts";

export interface ExampleSentence {
  language: string;
  intent: string;
  author: string;
  /** The kind of message, after the author ("writer-a: names"); empty if the author says nothing. */
  kind: string;
  text: string;
}

const folder = new URL("../examples/", import.meta.url);

export function readExamples(): ExampleSentence[] {
  return readdirSync(folder).flatMap((file) =>
    readFileSync(new URL(file, folder), "utf8")
      .split("\n")
      .flatMap((line) => {
        const [intent = "", writer = "", text = ""] = line.split("\t");
        const [author = "", kind = ""] = writer.split(": ");
        return line === "" ? [] : [{ language: file.replace(/\.tsv$/, ""), intent, author, kind, text }];
      }),
  );
}

/** The shop's own names for what intents are about. */
export function themeNames(): Name[] {
  return readExamples()
    .filter(({ author }) => author === "shop")
    .map(({ intent, language, text }) => ({
      ...{ type: "theme", key: intent, text },
      language: languageOfLocale(language),
    }));
}
