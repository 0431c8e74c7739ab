import { noBody } from "../http/body.ts";

/** The checks of a read that needs no caller. */
export const forAnyone = {
  method: "GET",
  caller: "anywhere",
  session: "ignored",
  limit: "check",
  body: noBody,
} as const;
