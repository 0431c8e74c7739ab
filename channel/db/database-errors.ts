/** Classifies database errors (SQLSTATE, PostgreSQL manual, appendix A). */
import { errorCode } from "../errors.ts";

/** The driver's error: Drizzle wraps it and repeats the statement with its parameters, customers' words. */
export function driverError(error: Error): Error {
  const { cause } = error;
  return "query" in error && "params" in error && cause instanceof Error ? driverError(cause) : error;
}

/** The driver's words. A host with several addresses fails without a message, but with one for each. */
export function reasonOf(error: Error): string {
  const cause = driverError(error);
  if (!(cause instanceof AggregateError)) return cause.message;
  return cause.errors.map((each) => (each instanceof Error ? each.message : String(each))).join(", ");
}

/** Whether the statement lost to a concurrent one and may be sent again. */
export function isSerializationFailure(error: unknown): boolean {
  return ["40001", "40P01"].includes(errorCode(error) ?? "");
}

/**
 * Connection exceptions, insufficient resources, operator intervention and system errors of PostgreSQL, and
 * the system's own.
 */
const unavailable =
  /^(?:08|53|57|58|E(?:CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|PIPE|NOTFOUND|TIMEDOUT|AI_AGAIN|NOSPC|ROFS|IO)$)/;

/** Whether the database is unavailable, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return unavailable.test(code);
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (withoutCode.test(cause.message)) return true;
  return false;
}

/** Messages of the drivers, without a code, about a connection that is gone. */
const withoutCode =
  /connection terminated|not queryable|timeout exceeded when trying to connect|query read timeout|timeout expired|pglite is closed/i;
