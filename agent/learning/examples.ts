/** The sentences that the agent learns from: `examples/<language>.tsv`, one a line. */
import { readdirSync, readFileSync } from "node:fs";

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
