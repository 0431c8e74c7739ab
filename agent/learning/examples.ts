/** The sentences that the agent learns from: `examples/<language>/<intent>.txt`, one a line. */
import { readdirSync, readFileSync } from "node:fs";

export interface ExampleSentence {
  language: string;
  /** The file's name: an intent. */
  intent: string;
  /** The author: the comment line above names the author ("# commuter"). */
  author: string;
  /** The kind of message ("# writer-a: names"); empty if the author says nothing. */
  kind: string;
  text: string;
}

const folder = new URL("../examples/", import.meta.url);

export function readExamples(): ExampleSentence[] {
  return readdirSync(folder).flatMap((language) =>
    readdirSync(new URL(`${language}/`, folder)).flatMap((file) => {
      const intent = file.replace(/\.txt$/, "");
      const lines = readFileSync(new URL(`${language}/${file}`, folder), "utf8").split("\n");
      let [author = "", kind = ""] = [];
      return lines.flatMap((line) => {
        if (line.startsWith("# ")) [author = "", kind = ""] = line.slice(2).split(": ");
        const isSentence = line !== "" && !line.startsWith("#");
        return isSentence ? [{ language, intent, author, kind, text: line }] : [];
      });
    }),
  );
}
