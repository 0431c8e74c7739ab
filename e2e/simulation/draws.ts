/** Draws what is done or happens next, from the rows of `actions` and `events`. */
import type { Action } from "./actions.ts";
import type { CustomerStage } from "./customer-stage.ts";
import type { StageEvent } from "./events.ts";
import type { Random } from "./random.ts";

/** `weights` are those that differ from the rows' own. */
export function weightedRows<Row extends { weight: number }>(rows: Record<string, Row>, weights: object) {
  const others = new Map<string, number>(Object.entries(weights));
  return Object.entries(rows).map(([name, row]) => [others.get(name) ?? row.weight, row] as const);
}

/** How often another action is drawn if one is not possible. */
const draws = 6;

export function act(
  stage: CustomerStage,
  rows: readonly (readonly [weight: number, action: Action])[],
  random: Random,
): string | null {
  const pages = stage.openPages();
  const visible = pages.filter(({ isVisible }) => isVisible);
  const choices = visible.length > 0 && random.chance(0.8) ? visible : pages;
  const page = choices[random.between(0, choices.length - 1)];
  if (page === undefined) return null;
  stage.scheduler.become(page.actor);
  for (let draw = 0; draw < draws; draw += 1) {
    try {
      const said = random.weighted(rows).act(stage, page, random);
      if (said !== null) return `${page.actor.name} ${said}`;
    } catch (error) {
      page.threw("an action", error);
      return `${page.actor.name} throws`;
    }
  }
  return null;
}

export function happen<S>(
  stage: S,
  rows: readonly (readonly [weight: number, event: StageEvent<S>])[],
  random: Random,
): string | null {
  for (let draw = 0; draw < draws; draw += 1) {
    const said = random.weighted(rows).happen(stage, random);
    if (said !== null) return said;
  }
  return null;
}
