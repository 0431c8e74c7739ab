/** Names of the headers that the contract speaks of (specification, "General rules"). */
export const headerNames = {
  idempotencyKey: "Idempotency-Key",
  requestId: "X-Request-Id",
  retryAfter: "Retry-After",
  rateLimitLimit: "RateLimit-Limit",
  rateLimitRemaining: "RateLimit-Remaining",
  rateLimitReset: "RateLimit-Reset",
} as const;
