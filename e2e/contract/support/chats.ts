/**
 * All chats that the tests create on a live channel. Each one counts towards the plan's limit, so tests share
 * them where that is safe.
 */
export const chatPlan = {
  reading: "read, refused requests, and never a message",
  conversation: "messages, replays and conflicts",
  streams: "streamed replies",
  paging: "a list of several pages",
  files: "one file of each type, sent and unsent",
  manyFiles: "as many files as a chat may have",
  muchStorage: "as many bytes as a chat may hold",
  guest: "created without a userId",
  named: "created with a userId of the caller's",
  sameCustomer: "a second chat of the same userId",
  localised: "created with a locale",
  longestKey: "created with a key of 128 characters",
  disputed: "created, and asked for under the same key with another body",
  history: "messages that are repeated and cut off",
  help: "asked which words its agent knows",
  crowd: "created by many identical requests at once",
} as const;

export type PlannedChat = keyof typeof chatPlan;

/** Names the run. */
const run = crypto.randomUUID();

/** The idempotency key of this chat's creation: a repetition returns the same chat. */
export function creationKey(name: PlannedChat): string {
  const key = `contract_${run}:${name}`;
  return name === "longestKey" ? key.padEnd(128, ".") : key;
}
