import { driverError } from "./db/database-errors.ts";
import { errorCode } from "./errors.ts";

/**
 * Reports an unexpected error to the operator. `where` names the job, request or part of the channel that
 * failed.
 */
export type ReportError = (where: string, error: unknown) => void;

/**
 * The parts of an error that a log may contain: its message, code and stack frames, but not a statement's
 * parameters, which may be customers' words.
 */
export function errorSummary(error: unknown): { error: string; code?: string; stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const cause = driverError(error);
  const code = errorCode(error);
  return {
    error: `${cause.name}: ${cause.message}`,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: frames(error.stack) }),
  };
}

/** The stack frames without the message. */
function frames(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .join("\n");
}
