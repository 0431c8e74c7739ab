import type { Session } from "../identity/session.ts";

/** A session without a known caller. */
export const inertSession: Session = {
  api: "/api/chat",
  caller: () => null,
  refusal: () => null,
  start: async () => ({ tag: "a-guest", isGuest: true }),
  settled: async () => undefined,
};
