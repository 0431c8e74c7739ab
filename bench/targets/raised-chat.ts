/**
 * Our server with raised rate limits, because all load comes from one address. The limits still cost their
 * time: every bucket is counted, and every caller's sign-in is verified.
 */
import { type RateLimit, rateLimitTable } from "#lib/bff/limits/rate-limits.ts";
import { createChatServer } from "#lib/bff/server.ts";
import { customerOf } from "./customer-of.ts";

const raised = 1e9;
const raise = (rates: readonly { seconds: number }[]) =>
  rates.map(({ seconds }) => ({ calls: raised, seconds }));

const rates = Object.fromEntries(
  Object.entries<RateLimit>(rateLimitTable(1)).map(([name, limit]) => [
    name,
    {
      perSession: raise(limit.perSession),
      perAddress: raise(limit.perAddress),
      total: raise(limit.total),
    },
  ]),
);

export const raisedChat = createChatServer({ customerOf, limits: { rates } });
