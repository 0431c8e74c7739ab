/** Names of the headers in the contract (docs/chat-api.md, "General rules"). */
export const headerNames = {
  idempotencyKey: "Idempotency-Key",
  requestId: "X-Request-Id",
  retryAfter: "Retry-After",
  rateLimitLimit: "RateLimit-Limit",
  rateLimitRemaining: "RateLimit-Remaining",
  rateLimitReset: "RateLimit-Reset",
} as const;

/** Names the caller between the page and its own server, so that each side notices a change of caller. */
export const callerHeader = "X-Chat-Caller";
