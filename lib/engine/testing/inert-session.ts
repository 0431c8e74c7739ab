import type { Session } from "../identity/session.ts";

/** A session without a known customer. */
export const inertSession: Session = {
  api: "/api/chat",
  customer: () => null,
  refusal: () => null,
  start: async () => ({ tag: "a-guest", isGuest: true }),
  settled: async () => undefined,
};
