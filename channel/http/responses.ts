import { headerNames, rateLimitHeaders } from "#lib/chat-api/headers.ts";
import { secondsUntil } from "../clock.ts";
import type { RateState } from "../settings/rate-limit.ts";

export function json(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

/** 201 for the first execution, 200 for a replay (docs/chat-api.md, "Idempotency"). */
export function created(item: unknown, isReplay = false): Response {
  return json(isReplay ? 200 : 201, { item });
}

/** Headers of every response. Most contain personal data: caches may store one only if its route says so. */
export function setCommonHeaders(headers: Headers, requestId: string): void {
  headers.set(headerNames.requestId, requestId);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  headers.set("x-content-type-options", "nosniff");
}

/** Integers; the reset is in seconds from now. */
export function setRateHeaders(headers: Headers, rate: RateState, now: Date): void {
  headers.set(rateLimitHeaders.limit, String(rate.limit));
  headers.set(rateLimitHeaders.remaining, String(rate.remaining));
  headers.set(rateLimitHeaders.reset, String(secondsUntil(rate.resetAt, now)));
}
