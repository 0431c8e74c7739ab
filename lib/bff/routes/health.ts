/** For load balancers: whether the process is alive and can serve customers. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { jsonResponse } from "../http/responses.ts";
import { publicRead, route } from "../http/route.ts";

export const live = route({ ...publicRead, name: "live" }, async () => jsonResponse(200, { status: "live" }));

/** The response does not say why it is not ready: the log has the reason and its remedy. */
export const ready = route({ ...publicRead, name: "ready" }, async ({ bff }) => {
  if (await bff.readiness.check()) return jsonResponse(200, { status: "ready" });
  throw new ChatApiError("chat_unavailable", { retryAfterSeconds: 5 });
});
