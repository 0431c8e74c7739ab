/** Limits of one conversation. Durations are milliseconds. */
import type { Repetition } from "../chat-api/errors.ts";

const second = 1_000;
const minute = 60 * second;

/** An older unsent message is sent only after the customer confirms it. */
export const unattendedSending = 24 * 60 * minute;
/** Waits between look-ups of a message whose outcome is unknown, until the customer gets a button. */
export const lookUpWaits = [1 * second, 2 * second, 4 * second] as const;
/** While a message's outcome is in doubt for longer, the customer can have the request repeated at once. */
export const quietDoubt = 8 * second;
/** How a chat that could not be read is read again. */
export const readAgain: Repetition = {
  waits: [2 * second, 5 * second, 10 * second, 20 * second, 40 * second],
  times: Number.POSITIVE_INFINITY,
  within: Number.POSITIVE_INFINITY,
  longest: Number.POSITIVE_INFINITY,
};
/** Messages of one author share a heading if each follows the previous one within this time. */
export const groupSpan = 5 * minute;
/** The polling intervals (`state/polling.ts`). */
export const pollWithTeam = 2 * second;
export const pollWithAgent = 30 * second;
export const pollHidden = 20 * second;
export const pollHiddenWithAgent = 5 * minute;
/** While the agent may be answering a message of another device, the chat is polled as with the team. */
export const answerTime = 2 * minute;
/** Every n-th poll also reads the chat itself. */
export const pollsPerChatRead = 3;
/**
 * Waits between polls after a form, a handoff request, the look-ups of a message without an answer, or the
 * customer's return to the page.
 */
export const newsWaits = [2 * second, 4 * second, 8 * second, 8 * second, 8 * second] as const;
/** The composer shows the length of the text, beside its limit, from this length on. */
export const counterFrom = 3_500;
/** How many times earlier messages are loaded to read a whole chat, for the transcript. */
export const readAllSteps = 200;
