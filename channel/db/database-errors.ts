/** Classifies database errors (SQLSTATE, PostgreSQL manual, appendix A). */

/** The SQLSTATE or system error code of an error or its cause. */
function databaseErrorCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}

/** The driver's words. A host with several addresses fails without a message, but with one for each. */
export function reasonOf(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message;
  return error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join(", ");
}

/** Whether the statement lost to a concurrent one and may be sent again. */
export function isSerializationFailure(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === "40001" || code === "40P01";
}

const unavailableCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENOSPC",
  "EROFS",
  "EIO",
]);

/** Connection exceptions, insufficient resources, operator intervention, system errors. */
const unavailableClasses = ["08", "53", "57", "58"];

/** Whether the database is unavailable, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code !== undefined)
    return unavailableCodes.has(code) || unavailableClasses.some((prefix) => code.startsWith(prefix));
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (
      /connection terminated|not queryable|timeout exceeded when trying to connect|query read timeout|timeout expired|pglite is closed/i.test(
        cause.message,
      )
    )
      return true;
  }
  return false;
}
