/** The system's code of an error or its cause, such as `ENOENT`, or the database's SQLSTATE. */
export function errorCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}
