/** Replies that demonstrate the behaviour of streams. Developers of a chat client ask for them by name. */
import type { HelpIndex } from "../knowledge/help-index.ts";
import { fold } from "../language/fold.ts";
import { languageData } from "../language/lexicon.ts";
import { listOf, say } from "../language/replies.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Answer } from "./answer.ts";

/** The pace of a streamed answer; the agent's own where unspecified. Durations are milliseconds. */
export interface StreamingManner {
  /** The deltas, which join to the text. */
  deltas?: readonly string[];
  /** The pause before the first delta. */
  thinksFor?: number;
  betweenDeltas?: number;
}

export interface Demonstration {
  answer: Answer;
  manner: StreamingManner;
}

const longLength = 3_000;
const longDeltas = 200;
const slowDelta = 2_000;
const slowDeltas = 6;
/** Long enough for several keep-alive comments. */
const minute = 60_000;

/** The demonstration whose name is the whole message. */
export function demonstrationOf(message: string, { shop, language }: ToolContext): Demonstration | null {
  const plain = fold(message)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const [kind] =
    Object.entries(languageData[language].demonstrations).find(([, names]) =>
      names.split(",").some((name) => fold(name.trim()) === plain),
    ) ?? [];
  switch (kind) {
    case "long-answer": {
      const text = longText(shop.help);
      return { answer: { text }, manner: { deltas: cut(text, text.length / longDeltas) } };
    }
    case "slow-answer": {
      const text = say(language, "capabilities");
      return {
        answer: { text },
        manner: { deltas: cut(text, text.length / slowDeltas), betweenDeltas: slowDelta },
      };
    }
    case "think-minute":
      return { answer: { text: say(language, "thinking") }, manner: { thinksFor: minute } };
    case "ask-me": {
      const answer = { text: say(language, "askPreamble"), ask: say(language, "askQuestion") };
      return { answer: { ...answer, choices: listOf(language, "askChoices") }, manner: {} };
    }
    case "say-nothing":
      return { answer: { text: "" }, manner: {} };
    default:
      return null;
  }
}

/** The first `longLength` characters of the English help pages. */
function longText(help: HelpIndex): string {
  const english = help.passages.filter((passage) => passage.language === "en");
  return english
    .flatMap((passage) => passage.section.sentences)
    .join(" ")
    .slice(0, longLength);
}

/** Splits a text into parts of about the given length, but never inside a surrogate pair. */
function cut(text: string, length: number): string[] {
  const parts: string[] = [];
  let end = 0;
  for (let count = 1; end < text.length; count += 1) {
    const start = end;
    end = Math.max(start + 1, Math.min(text.length, Math.round(count * length)));
    if (/[\ud800-\udbff]$/.test(text.slice(start, end))) end += 1;
    parts.push(text.slice(start, end));
  }
  return parts;
}
