/**
 * The customer's feedback on the agent's answers and the chat: shown at once, and sent until the host has it.
 */
import type { FeedbackBody } from "../../chat-api/feedback.ts";
import { defaultTimeouts } from "../../chat-client/options.ts";
import { type RepeatDeps, repeatWrite } from "../delivery/repeat-write.ts";
import { askedUntil, type Failure, longestPause } from "../failure.ts";
import { request } from "../identity/request.ts";
import * as conversationLimits from "../limits.ts";
import { newKey } from "../new-key.ts";
import { keepsKey } from "../outbox/outbox.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { feedbackId } from "../state/feedback.ts";
import { feedbackName, feedbackNames } from "../storage-names.ts";
import { parseFeedback, type StoredFeedback } from "./stored-feedback.ts";

/** `send` sends in the owner's name. */
export interface FeedbackDeps
  extends RepeatDeps,
    Pick<OwnerParts, "owner" | "send" | "store" | "storage" | "tabs" | "tell"> {
  api: string;
}

export function createFeedback({ api, owner, send, store, storage, tabs, tell, ...deps }: FeedbackDeps) {
  /** Keys of presses that could not be sent. They are sent by the next page, or when the network returns. */
  const failed = new Set<string>();
  let isSending = false;

  /** Shows what is stored for the conversation on screen. */
  function show(): void {
    const { chatId } = store.conversation();
    const names = chatId === null ? [] : storage.names(feedbackName(chatId, ""));
    const entries = names.flatMap((name) => {
      const stored = parseFeedback(name, storage.read(name));
      return stored === null || stored.value === 0 ? [] : [[feedbackId(stored), stored] as const];
    });
    store.set({ feedback: new Map(entries) });
  }

  const next = () =>
    storage
      .names(feedbackNames)
      .map((name) => parseFeedback(name, storage.read(name)))
      .find((stored) => stored?.isDue === true && !failed.has(stored.key));

  function sendDue(): void {
    if (isSending) return;
    isSending = true;
    const sending = tabs.exclusively(`feedback:${owner}`, async (ended) => {
      const held = AbortSignal.any([deps.signal, ended]);
      for (let due = next(); due && !held.aborted; due = next()) await deliver(due, held);
    });
    sending.catch(deps.failureOf).then(() => {
      isSending = false;
      // The name was lost, to the back/forward cache or to a tab that found this one silent.
      if (!deps.signal.aborted && next()) sendDue();
    });
  }

  /** Never rejects. `held` aborts when another tab may send it. */
  async function deliver(feedback: StoredFeedback, held: AbortSignal): Promise<void> {
    const name = feedbackName(feedback.chatId, feedbackId(feedback));
    const keep = (change: Partial<StoredFeedback> | null) => {
      // The customer may have pressed again meanwhile.
      if (parseFeedback(name, storage.read(name))?.key === feedback.key)
        storage.write(name, change && JSON.stringify({ ...feedback, ...change }));
    };
    const keepWait = (failure: Failure | null) => {
      const until = failure && askedUntil(failure);
      if (until !== null) keep({ pausedUntil: until });
    };
    try {
      // A clock that was set back would make this wait endless.
      const wait = Math.min(feedback.pausedUntil - Date.now(), longestPause);
      if (wait > 0) await deps.sleep(wait, "time");
      if (Date.now() - feedback.at < conversationLimits.unattendedSending)
        await repeatWrite({ ...deps, signal: held }, () => post(feedback), keepWait);
    } catch (error) {
      if (held.aborted) return;
      const failure = deps.failureOf(error);
      keepWait(failure);
      if (keepsKey(failure)) return void failed.add(feedback.key);
    }
    keep(feedback.value === 0 ? null : { isDue: false });
  }

  async function post({ chatId, key, kind, messageId, value, comment }: StoredFeedback): Promise<void> {
    const body: FeedbackBody = { kind, messageId, value, ...(comment !== "" && { comment }) };
    await request(send, `${api}/chats/${chatId}/feedback`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(defaultTimeouts.headers),
      like: "sendMessage",
    });
  }

  return {
    show,
    /** Sends what earlier pages, or a lost connection, have left. */
    sendLeft() {
      failed.clear();
      sendDue();
    },
    /** Stores a press and sends it. It replaces an earlier one of the same message, or of the chat. */
    rate(chatId: string, { kind, messageId, value, comment = "" }: FeedbackBody) {
      const feedback = { kind, value, comment, key: newKey(), at: Date.now(), isDue: true, pausedUntil: 0 };
      storage.write(feedbackName(chatId, messageId ?? ""), JSON.stringify(feedback));
      show();
      sendDue();
      tell({ type: "rated", chatId, messageId, kind, value });
    },
  };
}
