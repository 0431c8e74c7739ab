/** The assertions of these tests, over `node:assert`. */
import assert from "node:assert/strict";

/** The part of a value that a pattern names: the same properties, and all entries of lists. */
function partOf(value: unknown, pattern: unknown): unknown {
  if (typeof value !== "object" || value === null || typeof pattern !== "object" || pattern === null)
    return value;
  if (Array.isArray(value) || Array.isArray(pattern))
    return Array.isArray(value) && Array.isArray(pattern)
      ? value.map((entry, index) => partOf(entry, pattern[index]))
      : value;
  return Object.fromEntries(
    Object.entries(pattern).map(([name, part]) => [name, partOf(Reflect.get(value, name), part)]),
  );
}

const lengthOf = (value: unknown) => (value as { length: number }).length;

export function expect(value: unknown, context = "") {
  const said = (what: string) => [what, context.slice(0, 1_000)].filter(Boolean).join(": ");
  const shown = JSON.stringify(value)?.slice(0, 300);
  const checks = (isNegated: boolean) => {
    const holds = (condition: boolean, what: string) =>
      assert.ok(condition !== isNegated, said(`expected ${shown}${isNegated ? " not" : ""} ${what}`));
    /** The assertion names what differs. */
    const equal = (actual: unknown, expected: unknown) => {
      if (isNegated) return assert.notDeepEqual(actual, expected, context || undefined);
      try {
        assert.deepEqual(actual, expected);
      } catch (error) {
        throw context === "" ? error : new Error(said((error as Error).message));
      }
    };
    return {
      toBe: (expected: unknown) => holds(Object.is(value, expected), `to be ${JSON.stringify(expected)}`),
      toEqual: (expected: unknown) => equal(value, expected),
      toMatchObject: (expected: object) => equal(partOf(value, expected), expected),
      toMatch: (pattern: RegExp) => holds(pattern.test(String(value)), `to match ${pattern}`),
      toContain: (part: unknown) =>
        holds((value as unknown[]).includes(part), `to contain ${JSON.stringify(part)}`),
      toHaveLength: (length: number) => holds(lengthOf(value) === length, `to have length ${length}`),
      toBeNull: () => holds(value === null, "to be null"),
      toBeUndefined: () => holds(value === undefined, "to be undefined"),
      toBeTruthy: () => holds(Boolean(value), "to be there"),
      toBeGreaterThan: (bound: number) => holds(Number(value) > bound, `to be above ${bound}`),
      toBeGreaterThanOrEqual: (bound: number) => holds(Number(value) >= bound, `to be at least ${bound}`),
      toBeLessThan: (bound: number) => holds(Number(value) < bound, `to be below ${bound}`),
      toBeLessThanOrEqual: (bound: number) => holds(Number(value) <= bound, `to be at most ${bound}`),
    };
  };
  return { ...checks(false), not: checks(true) };
}

/** Ends the test that throws it, which counts as skipped. */
export class Skip extends Error {}

export function skip(reason: string): never {
  throw new Skip(reason);
}
