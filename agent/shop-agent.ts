import { setTimeout as timer } from "node:timers/promises";
import type { Agent, AgentTurn } from "../channel/agents/agent.ts";
import { eventsAfterText } from "./answer.ts";
import type { Language } from "./language/languages.ts";
import { segmenters } from "./language/tokens.ts";
import type { Plan } from "./planner/plan.ts";

export interface PlannedAgentOptions {
  plan(turn: AgentTurn): Plan | Promise<Plan>;
  /** Milliseconds between two deltas; 0 sends them at once. */
  pace: number;
  /** Waits between deltas, by a timer if it is not given; rejects when the signal aborts. */
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * The shop's own agent: learned from examples what customers want, answers from the shop's content, and needs
 * no model and no network. It plans the whole answer first (`plan`), then streams it.
 */
export function createPlannedAgent({ plan, pace, sleep = sleepWithTimer }: PlannedAgentOptions): Agent {
  return {
    async *reply(turn, signal) {
      const { answer, thinksFor = 0, pace: ownPace = pace, language } = await plan(turn);
      // Without a pace, or a reader of the stream, it never waits, not even in demonstrations of waiting.
      const isPaced = pace > 0 && turn.isStreamed;
      if (isPaced && thinksFor > 0) await sleep(thinksFor, signal);
      for (const [index, text] of splitForStreaming(answer.text, language).entries()) {
        if (isPaced && index > 0) await sleep(ownPace, signal);
        if (signal.aborted) return;
        yield { type: "text", text };
      }
      yield* eventsAfterText(answer);
    },
  };
}

function sleepWithTimer(milliseconds: number, signal: AbortSignal): Promise<void> {
  return timer(milliseconds, undefined, { signal });
}

const wordGroupLength = 12;

/** Splits a text at word boundaries into parts of a few words. The parts join to the text. */
function splitForStreaming(text: string, language: Language): string[] {
  const parts: string[] = [];
  let part = "";
  for (const { segment } of segmenters[language].segment(text)) {
    part += segment;
    if (part.length >= wordGroupLength && /\s$|[^\p{Script=Latin}\p{N}]$/u.test(part)) {
      parts.push(part);
      part = "";
    }
  }
  if (part) parts.push(part);
  return parts;
}
