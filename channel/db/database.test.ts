/** Database errors lead to a retry, a 503, or an internal error. */
import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { withRetries } from "./database.ts";
import { isDatabaseUnavailable, reasonOf } from "./database-errors.ts";

/** An error as Drizzle wraps it: the driver's error is the cause. */
function queryError(code: string): Error {
  return new Error("Failed query", { cause: Object.assign(new Error("of the driver"), { code }) });
}

test.each(["40001", "40P01"])("retries after a serialisation failure or deadlock (%s)", async (code) => {
  let runs = 0;
  const result = await withRetries(async () => {
    runs += 1;
    if (runs < 5) throw queryError(code);
    return "through";
  });
  expect([result, runs]).toEqual(["through", 5]);
});

test.each([
  ["five tries", "40001", 5],
  ["another error", "23505", 1],
])("gives up after %s (%s)", async (_what, code, tries) => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    throw queryError(code);
  };
  await expect(withRetries(run)).rejects.toThrow("Failed query");
  expect(runs).toBe(tries);
});

test.each([
  ...["08006", "53300", "57P01", "58030", "ECONNREFUSED", "ENOSPC"].map(queryError),
  new Error("Failed query", { cause: new Error("Connection terminated unexpectedly") }),
  new Error("Client has encountered a connection error and is not queryable"),
  new Error("timeout exceeded when trying to connect"),
  new Error("PGlite is closed"),
])("counts as an unavailable database: $message, $cause.code $cause.message", (error) => {
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([...["23505", "40001", "42601"].map(queryError), new Error("an internal error"), "57P01"])(
  "does not count as an unavailable database: %s",
  (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  },
);

test("gives the driver's reason for a statement that has failed, not the statement", () => {
  const refusal = new Error("permission denied for database shop");
  expect(reasonOf(new DrizzleQueryError("CREATE SCHEMA drizzle", [], refusal))).toBe(refusal.message);
});
