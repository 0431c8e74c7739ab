/** Numbers for Prometheus. Without `METRICS_TOKEN` there is nothing at this path. */
import { createHash, timingSafeEqual } from "node:crypto";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { noBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const metrics = route(
  { name: "metrics", method: "GET", caller: "anywhere", session: "ignored", limit: "check", body: noBody },
  async ({ bff, request }) => {
    const token = bff.config.metricsToken;
    // The same answer without a token of ours and with a wrong one of theirs: the path tells nothing, and costs nothing.
    const exposed = token !== undefined && isBearer(request, token) ? bff.metrics.expose() : undefined;
    if (exposed === undefined) throw new ChatApiError("not_found");
    const { type, text } = await exposed;
    return new Response(text, { headers: { "Content-Type": type } });
  },
);

function isBearer(request: Request, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(request.headers.get("authorization") ?? ""), digest(`Bearer ${token}`));
}
