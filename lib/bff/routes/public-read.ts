/** The checks of a read that needs no caller. */
export const publicRead = {
  method: "GET",
  caller: "anywhere",
  session: "ignored",
  limit: "check",
} as const;
