/** Matches the records in the outbox with the listed messages. */
import { errorRules } from "../../chat-api/errors.ts";
import type { Message } from "../../chat-api/message.ts";
import { keepsKey, type OutboxRecord } from "./outbox.ts";

/** The listed message that a record has probably become. */
export interface Match {
  message: Message;
  /**
   * False if the list could hold another record's message here: more equal messages were attempted than are
   * listed. Only sending a record again under its key shows whether it was stored.
   */
  isCertain: boolean;
  /** False if the list shows the message for an equal record. It is as likely to be this one's. */
  isOwn: boolean;
}

/**
 * The listed messages of these records, by key. Equal records get equal messages one by one, in the order in
 * which they were sent; those that are left share the last one that can be theirs. A record that was never
 * attempted gets none.
 */
export function matchDelivered(
  records: readonly OutboxRecord[],
  messages: readonly Message[],
): ReadonlyMap<string, Match> {
  const owners = new Map<Message, OutboxRecord>();
  const missing: OutboxRecord[] = [];
  const matches = new Map<string, Match>();
  for (const record of records.filter(({ attempted }) => attempted)) {
    const message = candidatesOf(record, messages).find((candidate) => !owners.has(candidate));
    if (message === undefined) missing.push(record);
    else owners.set(message, record);
  }
  /** Messages that can be a missing record's. Then their own record is missing. */
  const doubtful = new Set<Message>();
  for (const record of missing)
    for (const message of candidatesOf(record, messages)) {
      const owner = owners.get(message);
      if (owner !== undefined && !doubtful.has(message)) missing.push(owner);
      doubtful.add(message);
      matches.set(record.key, { message, isCertain: false, isOwn: false });
    }
  for (const [message, { key }] of owners)
    matches.set(key, { message, isCertain: !doubtful.has(message), isOwn: true });
  return matches;
}

/** The outcome of a message as the list shows it. */
export type ListedOutcome = "absent" | "unclear" | "unanswered" | "answered";

export function listedOutcomeOf(match: Match | undefined, messages: readonly Message[]): ListedOutcome {
  if (match === undefined) return "absent";
  if (!match.isCertain) return "unclear";
  const later = messages.slice(messages.indexOf(match.message) + 1);
  return later.some(({ role }) => role === "agent" || role === "teammate") ? "answered" : "unanswered";
}

/** The news in later messages about a message whose delivery was given up. */
export type LateNews =
  /** No trace of it yet. */
  | "none"
  /** Delivered and answered, or never in doubt: it leaves the outbox. */
  | "settled"
  /** Delivered, and its answer can be fetched under its key. */
  | "take_up";

export function lateNewsOf(
  record: OutboxRecord,
  match: Match | undefined,
  messages: readonly Message[],
): LateNews {
  const { refusal } = record;
  if (refusal === null) return "none";
  switch (listedOutcomeOf(match, messages)) {
    case "absent":
      return "none";
    case "answered":
      return "settled";
    case "unclear":
      return errorRules[refusal.code].outcome === "unknown" && refusal.isListed === null ? "take_up" : "none";
    case "unanswered":
      if (refusal.isListed === true) return "none";
      return keepsKey(refusal) ? "take_up" : "settled";
  }
}

/** True if the message has this record's content. */
export function isContentOf(record: OutboxRecord, { role, text, files }: Message): boolean {
  const ids = (of: OutboxRecord["files"]) => of.map(({ id }) => id).sort();
  return role === "visitor" && text === record.text && sameStrings(ids(files), ids(record.files));
}

/**
 * The listed messages that a record can have become: those with its content after the last message on screen
 * when the customer pressed Send. Position decides, not time, because the customer's clock may be wrong.
 */
function candidatesOf(record: OutboxRecord, messages: readonly Message[]): readonly Message[] {
  const seen = messages.findIndex(({ id }) => id === record.afterMessageId);
  return messages
    .slice(seen + 1)
    .filter((message) => isContentOf(record, message) && !record.takenIds.includes(message.id));
}

function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
