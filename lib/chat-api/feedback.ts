/** A customer's judgement of the chat: no part of the Chat API, between the page and its own server. */

/** `up` and `down` judge a message of the agent, `rating` the whole chat. */
export const feedbackKinds = ["up", "down", "rating"] as const;
export type FeedbackKind = (typeof feedbackKinds)[number];

/**
 * A press, as `POST /chats/{chatId}/feedback` takes it. A later one of the same message, or chat, replaces
 * it.
 */
export interface FeedbackBody {
  kind: FeedbackKind;
  /** Null for a rating. */
  messageId: string | null;
  /** 1 for `up` and `down`, 1 to 5 for a rating; 0 takes it back. */
  value: number;
  comment?: string | undefined;
}

export const feedbackLimits = {
  /** The best rating. */
  rating: 5,
  /** UTF-16 code units. */
  commentLength: 1_000,
  messageIdLength: 200,
  bodyBytes: 16 * 1_024,
} as const;
