/** Lists of chats (docs/list-chats.md) and feedback, which the host keeps and the Chat API does not have. */

import { LRUCache } from "lru-cache";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { FeedbackBody } from "../../chat-api/feedback.ts";
import { chatIdPattern } from "../../chat-api/patterns.ts";
import { bffLimits } from "../configuration/limits.ts";
import { inTime } from "../limits/in-time.ts";
import type { Logger } from "../observability/observe.ts";
import { askHost } from "../session/ask-host.ts";
import type { Customer } from "../session/customer.ts";
import { sharedPromise } from "./shared-promise.ts";

/**
 * Where the host keeps which chats its customers have, so that they find them on every device. It gives no
 * access: each request for a chat asks the Chat API who owns it. A guest's chats are known to the guest's
 * browser alone. Each function may return a promise.
 */
export interface CustomerChats {
  /** The IDs of the customer's chats, the latest first. */
  list(customer: Customer): Promise<readonly string[]> | readonly string[];
  /** The customer writes in this chat, which is the latest from now on. Called with each message. */
  add(customer: Customer, chatId: string): unknown;
  /** The customer has taken the chat off the list. */
  forget(customer: Customer, chatId: string): unknown;
}

export function createListedChats(host: CustomerChats, log: Logger) {
  const ask = <T>(name: keyof CustomerChats, call: () => Promise<T> | T) =>
    askHost(log, `chats.${name}`, async () => inTime(call(), bffLimits.listedChatsTime));

  async function list(customer: Customer): Promise<string[]> {
    const ids = await host.list(customer);
    return ids.filter((id) => chatIdPattern.test(id)).slice(0, bffLimits.listedChats);
  }

  return {
    /** Empty if the host fails or takes long: the chat opens without the list. */
    read: (customer: Customer) => ask("list", () => list(customer)).catch(() => []),
    /** Returns at once: no message waits for the host, and the next one adds its chat again. */
    add(customer: Customer, chatId: string): void {
      ask("add", () => host.add(customer, chatId)).catch(() => undefined);
    },
    /** @throws ChatApiError `service_unavailable` */
    forget: (customer: Customer, chatId: string) => ask("forget", () => host.forget(customer, chatId)),
  };
}

export interface Feedback extends FeedbackBody {
  /**
   * The press. It is the same when the chat repeats a call whose outcome it does not know, so a host that
   * stores feedback by this ID stores each press once.
   */
  id: string;
  /** The customer who is signed in; null for a guest. */
  customer: Customer | null;
  chatId: string;
}

/** Stores feedback. When it throws or rejects, the page repeats the press for a while. */
export type OnFeedback = (feedback: Feedback) => Promise<void> | void;

export function createTakeFeedback(onFeedback: OnFeedback, log: Logger) {
  /** The bodies of recent presses by ID: the process calls the host once for each that succeeds. */
  const recent = new LRUCache<string, Promise<string>>({ max: bffLimits.recentFeedback });

  /** @throws ChatApiError `service_unavailable` if the host fails, `idempotency_conflict` */
  return async (feedback: Feedback): Promise<void> => {
    const { id, customer, chatId, ...body } = feedback;
    const content = JSON.stringify(body);
    const store = () => askHost(log, "onFeedback", () => onFeedback(feedback));
    const stored = await sharedPromise(recent, id, () => store().then(() => content));
    if (stored !== content) throw new ChatApiError("idempotency_conflict");
  };
}
