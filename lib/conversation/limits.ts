/** The numbers of one conversation on screen. Durations are milliseconds. */

const second = 1_000;
const minute = 60 * second;

export const conversationLimits = {
  /** An unsent message older than this is not sent by itself any more: the customer has moved on. */
  unattendedSending: 24 * 60 * minute,
  /** Waits before the same request is sent again after a lost connection; the last one repeats. */
  connectionWaits: [1 * second, 2 * second, 4 * second, 8 * second, 15 * second],
  /** After this many lost connections in a row the customer is asked instead (about two minutes). */
  connectionTries: 11,
  /** Waits while another turn of the chat runs; the last one repeats. */
  turnWaits: [2 * second, 4 * second, 8 * second],
  /** How long the chat tries by itself while another turn runs, or while the service is away. */
  patience: 2 * minute,
  /** A longer `Retry-After` is shown with a button instead of waited for. */
  longestAutomaticWait: 60 * second,
  longestAutomaticWaitForPlan: 120 * second,
  /** Messages of one author within this span share one heading. */
  groupSpan: 5 * minute,
  /** Polling, see `polling.ts`. */
  pollWithTeam: 2 * second,
  pollWithAgent: 30 * second,
  pollHidden: 20 * second,
  pollHiddenWithAgent: 5 * minute,
  /** While the team has the chat, the chat itself is read with every so many polls of its messages. */
  pollsPerChatRead: 3,
  /** Between looks for the answer to a form. */
  newsWaits: [2 * second, 4 * second, 8 * second],
  /** A poll that returns more known messages than this moves its cursor nearer to the end. */
  tailSlack: 8,
  /** Requests for a chat's end, each of which goes on where the one before ran out of time. */
  latestCalls: 20,
  /** Pages of news that one poll reads; what is left comes with the next one. */
  newsPages: 20,
  /** Pages of known messages that one step towards the past passes over. */
  pagesPassed: 20,
  /** Messages in one chunk of the list, and chunks shown at first: more than any screen holds. */
  chunkLength: 20,
  firstChunks: 2,
  /** Chunks added with each step towards the past. */
  chunksPerStep: 3,
  /** Messages shown above one that is brought into view, so that it does not stand alone. */
  marginAbove: 8,
  /** Above this the composer counts what is left. */
  counterFrom: 3_500,
} as const;

/** What a search or a transcript reads of a list that does not end. Apart, for those load on use. */
export const readAllLimits = {
  /** Steps towards the past of a page each: ten thousand messages. */
  steps: 200,
  /** Steps in a row that bring no message that is not known: of a list that goes round, nothing more comes. */
  barrenSteps: 5,
} as const;
