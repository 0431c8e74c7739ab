import { ChatApiError } from "../../chat-api/errors.ts";
import type { Logger } from "../observability/observe.ts";

/**
 * Calls a function of the host. The page may repeat a request for which it fails.
 * @throws ChatApiError `service_unavailable` if it throws or rejects
 */
export async function askHost<T>(log: Logger, name: string, call: () => Promise<T> | T): Promise<T> {
  try {
    return await call();
  } catch (err) {
    log.error({ event: "unexpected_error", err }, `${name} failed`);
    throw new ChatApiError("service_unavailable", { retryAfterSeconds: 1, cause: err });
  }
}
