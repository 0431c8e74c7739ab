/** Replies that demonstrate the behaviour of streams. Developers of a chat client ask for them by name. */
import type { HelpIndex } from "../knowledge/help-index.ts";
import { phrases } from "../replies/by-language.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { TalkKind } from "../understanding/requests.ts";
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

export function demonstrationOf(
  kinds: readonly TalkKind[],
  { shop, language }: ToolContext,
): Demonstration | null {
  const say = phrases[language];
  for (const kind of kinds) {
    switch (kind) {
      case "long-answer": {
        const text = longText(shop.help);
        return { answer: { text }, manner: { deltas: cut(text, text.length / longDeltas) } };
      }
      case "slow-answer": {
        const deltas = cut(say.capabilities, say.capabilities.length / slowDeltas);
        return { answer: { text: say.capabilities }, manner: { deltas, betweenDeltas: slowDelta } };
      }
      case "think-minute":
        return { answer: { text: say.thinking }, manner: { thinksFor: minute } };
      case "ask-me":
        return {
          answer: { text: say.askPreamble, ask: say.askQuestion, choices: say.askChoices },
          manner: {},
        };
      case "say-nothing":
        return { answer: { text: "" }, manner: {} };
    }
  }
  return null;
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
