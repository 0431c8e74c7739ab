/** Metrics for Prometheus. Without `METRICS_TOKEN` this path answers 404. */
import { hash, timingSafeEqual } from "node:crypto";
import { ChatApiError } from "../../chat-api/errors.ts";
import { wholeResponse } from "../http/responses.ts";
import { publicRead, route } from "../http/route.ts";

export const metrics = route({ ...publicRead, name: "metrics" }, async ({ bff, request }) => {
  const { metricsToken: token } = bff.config;
  // The same response without a configured token and with a wrong one, so that the path reveals nothing and
  // costs nothing.
  const exposed = token !== undefined && isBearer(request, token) ? bff.metrics?.expose() : undefined;
  if (exposed === undefined) throw new ChatApiError("not_found");
  const { type, text } = await exposed;
  return wholeResponse(text, { "Content-Type": type });
});

function isBearer(request: Request, token: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(request.headers.get("authorization") ?? ""), digest(`Bearer ${token}`));
}
