/**
 * Reports an unexpected error to the operator. `where` names the job, request or part of the channel that
 * failed.
 */
export type ReportFault = (where: string, error: unknown) => void;

/**
 * The parts of an error that a log may contain: its message, code and stack frames, but not a statement's
 * parameters, which may be customers' words.
 */
export function faultSummary(error: unknown): { error: string; code?: string; stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  // Drizzle wraps the driver's error and repeats the statement with its parameters.
  const cause = isQueryError(error) && error.cause instanceof Error ? error.cause : error;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  return {
    error: `${cause.name}: ${cause.message}`,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: frames(error.stack) }),
  };
}

function isQueryError(error: Error): boolean {
  return "query" in error && "params" in error;
}

/** The stack frames without the message. */
function frames(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .join("\n");
}
