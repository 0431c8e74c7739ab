/**
 * The agent of a mutated channel. Each attempt at a turn gives another text over several seconds, in many
 * deltas or, at random, in one. A suspended process therefore resumes in the middle of a turn or at its end,
 * and a mixture of two attempts is visible.
 */
import { setTimeout as pause } from "node:timers/promises";

/** Long enough to continue when the process that lost the turn resumes. */
const duration = 6_000;
/** Enough deltas that one is always unsaved. */
const parts = 100;

export async function* unsteady<Event extends { type: string; text?: string }>(
  events: AsyncIterable<Event>,
): AsyncGenerator<Event> {
  const own: Event[] = [];
  let name = `${Math.random()} `;
  for await (const event of events) {
    if (event.type !== "text") own.push(event);
    else for (const letter of `${name}${event.text}`) own.push({ ...event, text: letter });
    if (event.type === "text") name = "";
  }
  const isAtOnce = Math.random() < 0.5;
  if (isAtOnce) await pause(duration);
  for (const [index, event] of own.entries()) {
    yield event;
    if (!isAtOnce && index % Math.ceil(own.length / parts) === 0) await pause(duration / parts);
  }
}
