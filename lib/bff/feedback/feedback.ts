/** Passes customers' feedback to the host, which stores it. */
import { LRUCache } from "lru-cache";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { FeedbackBody } from "../../chat-api/feedback.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { Logger } from "../observability/log.ts";
import type { Customer } from "../session/customer.ts";

export interface Feedback extends FeedbackBody {
  /**
   * The press. It is the same when the chat repeats a call whose outcome it does not know, so a host that
   * stores feedback by this ID stores each press once.
   */
  id: string;
  /** Who is signed in; null for a guest. */
  customer: Customer | null;
  chatId: string;
}

/** Stores feedback. When it throws or rejects, the page repeats the press for a while. */
export type OnFeedback = (feedback: Feedback) => Promise<void> | void;

export type TakeFeedback = ReturnType<typeof createTakeFeedback>;

export function createTakeFeedback(onFeedback: OnFeedback, log: Logger) {
  /** Recent presses by ID: the process calls the host once for each that succeeds. */
  const recent = new LRUCache<string, { body: string; storing: Promise<void> }>({
    max: bffLimits.recentFeedback,
  });

  async function store(feedback: Feedback): Promise<void> {
    try {
      await onFeedback(feedback);
    } catch (err) {
      recent.delete(feedback.id);
      log.error({ event: "unexpected_error", err }, "onFeedback failed: the page repeats the feedback");
      throw new ChatApiError("service_unavailable", { retryAfterSeconds: 1, cause: err });
    }
  }

  /** @throws ChatApiError `service_unavailable` if the host fails, `idempotency_conflict` */
  return async ({ id, customer, chatId, ...body }: Feedback): Promise<void> => {
    const content = JSON.stringify(body);
    const earlier = recent.get(id);
    if (earlier !== undefined && earlier.body !== content) throw new ChatApiError("idempotency_conflict");
    const storing = earlier?.storing ?? store({ id, customer, chatId, ...body });
    if (earlier === undefined) recent.set(id, { body: content, storing });
    await storing;
  };
}
