import type { FeedbackBody } from "../../chat-api/feedback.ts";

/** The customer's feedback on an answer of the agent, or on the chat. */
export interface Given extends FeedbackBody {
  /** Empty if there is none. */
  comment: string;
}

/** Given feedback by its message's ID; the rating of the chat has the empty ID. */
export type GivenFeedback = ReadonlyMap<string, Given>;

export const feedbackId = ({ messageId }: Pick<FeedbackBody, "messageId">) => messageId ?? "";
