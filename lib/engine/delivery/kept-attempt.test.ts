import { expect, test } from "vitest";
import { attemptAt } from "./kept-attempt.ts";

test("keeps the key of an equal request and gives a changed request a new one", () => {
  const first = attemptAt(null, '{"name":"Maya"}');
  expect(first.key).toMatch(/^[\w-]{24}$/);
  expect(attemptAt(first, '{"name":"Maya"}')).toBe(first);
  const changed = attemptAt(first, '{"name":"Mara"}');
  expect(changed.key).not.toBe(first.key);
  expect(changed.request).toBe('{"name":"Mara"}');
});
