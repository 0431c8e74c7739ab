/** Runs axe on a page. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

const axeSource = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Levels A and AA, and what axe knows of AAA: the contrast of 7:1. */
export const wcag: readonly string[] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "wcag2aaa"];

export interface AxeOptions {
  /** Tags of the rules. */
  tags: readonly string[];
  /** A selector; by default the whole page. */
  within?: string;
  /** Rules to leave out. */
  without?: readonly string[];
}

/** Each violated rule with its elements. */
export async function violationsOf(
  page: Page,
  { tags, within, without = [] }: AxeOptions,
): Promise<string[]> {
  await animationsFinished(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const options: axe.RunOptions = {
    runOnly: [...tags],
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    // Axe describes every element of the other results, too, which takes most of its time.
    resultTypes: ["violations"],
  };
  return page.evaluate(
    async ([selector, runOptions]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        selector ?? document,
        runOptions,
      );
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    },
    [within, options] as const,
  );
}

/**
 * Axe cannot measure the colours of moving elements. The dots of an awaited reply never finish, and have no
 * text.
 */
function animationsFinished(page: Page): Promise<unknown> {
  return page.evaluate(() =>
    // The promise of a cancelled animation rejects.
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished),
    ),
  );
}
