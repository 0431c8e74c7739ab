/** `shop-chat/headless`: the chat without a view (docs/headless.md). */
export type { FeedbackBody, FeedbackKind } from "../chat-api/feedback.ts";
export type { Message } from "../chat-api/message.ts";
export type { Browser } from "./browser/browser.ts";
export type { ChatEngine, ChatOptions, WholeChat } from "./chat.ts";
export { createChat } from "./create-chat.ts";
export type { Failure } from "./failure.ts";
export { type Remedy, type RemedyButton, remedyFor } from "./remedies.ts";
export { type Attachment, attachmentsOf, awaitsFiles } from "./state/attachments.ts";
export type { ChatEvent } from "./state/events.ts";
export type { Given, GivenFeedback } from "./state/feedback.ts";
export { answerText, type FormEntry, formEntries } from "./state/form.ts";
export { formProblemsOf, isFormComplete, typedAnswersOf } from "./state/form-selectors.ts";
export { formStateOf } from "./state/forms-state.ts";
export { isAcceptable } from "./state/offer.ts";
export {
  closedBy,
  latestFormMessageId,
  modeOf,
  statusOf,
  unreadMessagesOf,
} from "./state/selectors.ts";
export type { ChatState, ConversationState } from "./state/state.ts";
export { type TextPart, textParts } from "./text-parts.ts";
export { type TimelineRow, timelineOf } from "./timeline/timeline.ts";
