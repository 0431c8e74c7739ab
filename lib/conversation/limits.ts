/** Limits of one conversation. Durations are milliseconds. */

const second = 1_000;
const minute = 60 * second;

export const conversationLimits = {
  /** An older unsent message is sent only after the customer confirms it. */
  unattendedSending: 24 * 60 * minute,
  /** Waits before the same request is sent again after a lost connection; the last one repeats. */
  connectionWaits: [1 * second, 2 * second, 4 * second, 8 * second, 15 * second],
  /** After this many lost connections in a row the customer is asked instead (about two minutes). */
  connectionTries: 11,
  /** Retries after a server error, in addition to those of the BFF. */
  errorTries: 2,
  /** Waits between look-ups of a message whose outcome is unknown. */
  lookUpWaits: [1 * second, 2 * second, 4 * second, 8 * second, 15 * second],
  /** Waits before a chat that could not be read is read again; the last one repeats. */
  readWaits: [2 * second, 5 * second, 10 * second, 20 * second, 40 * second],
  /** Waits while another turn of the chat runs; the last one repeats. */
  turnWaits: [2 * second, 4 * second, 8 * second],
  /** How long the chat retries while another turn runs or the service is unavailable. */
  patience: 2 * minute,
  /** A longer `Retry-After` is shown with a button instead of waited for. */
  longestAutomaticWait: 60 * second,
  longestAutomaticWaitForPlan: 120 * second,
  /** Messages of one author within this span share one heading. */
  groupSpan: 5 * minute,
  /** The polling intervals (`state/polling.ts`). */
  pollWithTeam: 2 * second,
  pollWithAgent: 30 * second,
  pollHidden: 20 * second,
  pollHiddenWithAgent: 5 * minute,
  /** While the team has the chat, every n-th poll also reads the chat itself. */
  pollsPerChatRead: 3,
  /** Waits between polls for the answer to a form. */
  newsWaits: [2 * second, 4 * second, 8 * second, 8 * second, 8 * second],
  /** A poll that returns more known messages than this moves its cursor nearer to the end. */
  tailSlack: 8,
  /**
   * Maximum number of requests for the latest messages. Each continues where the previous one ran out of
   * time.
   */
  latestCalls: 20,
  /** Maximum number of pages that one poll reads; the next poll reads the rest. */
  newsPages: 20,
  /** Maximum number of pages without an unknown message that one request for earlier messages reads. */
  pagesPassed: 20,
  /** Messages in one chunk of the list, and chunks shown at first: more than any screen holds. */
  chunkLength: 20,
  firstChunks: 2,
  /** Chunks added each time the customer scrolls up to the first one. */
  chunksPerStep: 3,
  /** Messages shown above one that is scrolled into view, for context. */
  marginAbove: 8,
  /** The composer shows the remaining characters above this length. */
  counterFrom: 3_500,
} as const;

/** Bounds of reading a whole chat. Separate, because search and transcript load on use. */
export const readAllLimits = {
  /** Pages of earlier messages, ten thousand messages in all. */
  steps: 200,
  /** Pages in a row without a new message: reading stops, because the list repeats itself. */
  emptySteps: 5,
} as const;
