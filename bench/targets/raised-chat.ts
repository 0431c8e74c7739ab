/**
 * Our server with raised rate limits, because all load comes from one address. The limits still cost their
 * time: every bucket is counted, and every caller's sign-in is verified.
 */
import { type CryptoKey, jwtVerify } from "jose";
import { type RateLimit, rateLimitTable } from "#lib/bff/limits/rate-limits.ts";
import { createChatServer } from "#lib/bff/server.ts";

const raised = 1e9;
const raise = (rates: readonly { seconds: number }[]) =>
  rates.map(({ seconds }) => ({ calls: raised, seconds }));

const rates = Object.fromEntries(
  Object.entries<RateLimit>(rateLimitTable).map(([name, limit]) => [
    name,
    {
      perSession: raise(limit.perSession),
      perAddress: raise(limit.perAddress),
      perSharedAddress: raise(limit.perSharedAddress ?? []),
      everyone: raise(limit.everyone),
    },
  ]),
);

/** Imported once, because jose imports the bytes of a secret with every request. */
let key: Promise<CryptoKey> | undefined;

function importKey() {
  const secret = new TextEncoder().encode(process.env["BENCH_SIGN_IN_SECRET"]);
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** Verifies a JWT, as the guide does (docs/integrate.md, "Next"). */
async function customerOf(request: Request) {
  const token = /(?:^|;\s*)sign_in=([^;]+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  if (token === undefined) return null;
  key ??= importKey();
  const { payload } = await jwtVerify(token, await key).catch(() => ({ payload: null }));
  return payload?.sub ? { id: payload.sub, name: String(payload["name"]) } : null;
}

export const raisedChat = createChatServer({ customerOf, limits: { rates } });
