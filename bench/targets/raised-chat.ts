/**
 * Our server with raised rate limits, because all load comes from one address. The limits still cost their
 * time: every bucket is counted.
 */
import { rateLimitTable } from "#lib/bff/limits/rate-limits.ts";
import { createChatServer } from "#lib/bff/server.ts";

const raised = 1e9;
const raise = (rates: readonly { seconds: number }[]) =>
  rates.map(({ seconds }) => ({ calls: raised, seconds }));

const rates = Object.fromEntries(
  Object.entries(rateLimitTable).map(([name, { perSession, perAddress, everyone }]) => [
    name,
    { perSession: raise(perSession), perAddress: raise(perAddress), everyone: raise(everyone) },
  ]),
);

export const raisedChat = createChatServer({ limits: { rates } });
