/** Tells the operator of a fault. `where` is a word for the log. */
export type ReportFault = (where: string, error: unknown) => void;

/**
 * What a log may hold of an error: its chain of messages and the first stack, but never a statement's parameters or a
 * row's values, which are customers' words.
 */
export function faultSummary(error: unknown): { error: string; code?: string; stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  // The driver's own error says what happened; drizzle's, around it, repeats the statement with its parameters.
  const told = isQueryError(error) && error.cause instanceof Error ? error.cause : error;
  const code = "code" in told && typeof told.code === "string" ? told.code : undefined;
  return {
    error: `${told.name}: ${told.message}`,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: frames(error.stack) }),
  };
}

function isQueryError(error: Error): boolean {
  return "query" in error && "params" in error;
}

/** The stack without the message in front of it. */
function frames(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .join("\n");
}
