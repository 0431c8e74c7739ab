/** Names of the headers in the contract (docs/chat-api.md, "General rules"). */
export const headerNames = {
  idempotencyKey: "Idempotency-Key",
  requestId: "X-Request-Id",
  retryAfter: "Retry-After",
} as const;

export const rateLimitHeaders = {
  limit: "RateLimit-Limit",
  remaining: "RateLimit-Remaining",
  reset: "RateLimit-Reset",
} as const;

/** Names the caller between the page and its own server, so that each side notices a change of caller. */
export const callerHeader = "X-Chat-Caller";
