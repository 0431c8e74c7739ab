/**
 * Compares what the customers of a run received (`history.ts`) with what the Chat API stores in the end.
 * Pure, so that falsified histories can prove each check (`checker.test.ts`).
 */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { File, Message, MessageTurn } from "#lib/chat-api/message.ts";
import type { Ended, FinalChat, HistoryRecord, Invoked, Resulted } from "./history.ts";

export const checks = {
  stored_once: "A message that was acknowledged is in its chat once, with its text and files",
  unknown_at_most_once: "A message whose outcome was unknown is in its chat at most once",
  refused_is_absent: "A message that the customer was told was not sent is not in its chat",
  one_reply: "A message has at most one reply, and one when it succeeded while the agent answers",
  reply_follows: "A reply follows its message at once, and times never go back",
  own_reply: "A reply answers its own message, and nothing stands in a chat that nobody said",
  equal_replays: "Every result under a key is the same",
  one_first: "At most one request under a key is its first execution (201)",
  one_chat: "One key creates one chat",
  deltas_are_reply: "What a stream showed is the reply's text, at any later replay too",
  one_save: "A form's answer is saved once: each save has a version of its own",
  one_handoff: "A chat is passed to the team at most once, and is when the customer was told so",
  one_notice:
    "The team hears of each handoff, and once unless the process that told it was killed or suspended",
  nothing_missing: "Nothing that was shown before goes missing, changes or moves",
  one_file: "One key stores one file, with the bytes that were sent",
  own_data: "No customer sees what is another's",
  nothing_broke: "No session was lost and no program ended by itself",
} as const;

export type Check = keyof typeof checks;

export interface Violation {
  check: Check;
  what: string;
}

interface Write {
  invoked: Invoked;
  ended: Ended | undefined;
  results: Resulted[];
}

/** A chat's final state, with the writes that addressed it. */
interface JudgedChat {
  final: FinalChat;
  sends: Write[];
  forms: Write[];
  handoffs: Write[];
}

export function check(history: readonly HistoryRecord[]): Violation[] {
  const violations: Violation[] = [];
  const report = (name: Check, what: string) => void violations.push({ check: name, what });
  const writes = writesOf(history, report);
  const chats = chatsOf(history, writes, report);

  for (const write of writes.values()) {
    checkReplays(write, report);
    if (write.invoked.operation === "uploadFile") checkFile(write, report);
  }
  checkFirstExecutions(history, report);
  checkStreams(history, writes, report);
  for (const chat of chats.values()) {
    checkMessages(chat, report);
    checkReplies(chat, report);
    checkForms(chat, report);
    checkHandoff(chat, report);
  }
  checkNotices(history, chats, report);
  checkLists(history, chats, writes, report);
  checkOwners(history, writes, chats, report);
  for (const record of history) if (record.type === "broken") report("nothing_broke", record.what);
  return violations;
}

type Report = (check: Check, what: string) => void;

function writesOf(history: readonly HistoryRecord[], report: Report): Map<string, Write> {
  const writes = new Map<string, Write>();
  for (const record of history) {
    if (record.type === "invoked") {
      const known = writes.get(record.key);
      if (known === undefined) writes.set(record.key, { invoked: record, ended: undefined, results: [] });
      else if (!isSame(known.invoked.request, record.request))
        report("equal_replays", `${record.key} was sent with another request`);
    } else if (record.type === "result") writes.get(record.key)?.results.push(record);
    else if (record.type === "ended") {
      const write = writes.get(record.key);
      if (write !== undefined) write.ended = record;
    }
  }
  return writes;
}

function chatsOf(
  history: readonly HistoryRecord[],
  writes: ReadonlyMap<string, Write>,
  report: Report,
): Map<string, JudgedChat> {
  const chats = new Map<string, JudgedChat>();
  for (const record of history) {
    if (record.type === "final")
      chats.set(record.chat.id, { final: record, sends: [], forms: [], handoffs: [] });
  }
  const chatOfCreateKey = new Map<string, string>();
  for (const { invoked, results } of writes.values()) {
    if (invoked.operation !== "createChat") continue;
    for (const { item } of results) {
      const { id } = item as Chat;
      const other = chatOfCreateKey.get(invoked.key);
      if (other !== undefined && other !== id)
        report("one_chat", `${invoked.key} created ${other} and ${id}`);
      chatOfCreateKey.set(invoked.key, id);
      if (!chats.has(id)) report("nothing_missing", `${id} was created and is not there in the end`);
    }
  }
  for (const write of writes.values()) {
    const { operation, chatId, createKey } = write.invoked;
    const id = chatId ?? (createKey === null ? undefined : chatOfCreateKey.get(createKey));
    const chat = id === undefined ? undefined : chats.get(id);
    if (operation === "sendMessage") chat?.sends.push(write);
    else if (operation === "submitCollection") chat?.forms.push(write);
    else if (operation === "handoff") chat?.handoffs.push(write);
    if (operation === "sendMessage" && chat === undefined && isOk(write))
      report("stored_once", `${write.invoked.key} succeeded in a chat that is not there in the end`);
  }
  return chats;
}

const isOk = ({ ended, results }: Write) => ended?.outcome === "ok" || results.length > 0;

/** Lists identify a message by its text, which contains a nonce. */
const textOf = ({ request }: Invoked) => (request as { text?: string }).text ?? "";

function checkMessages({ final, sends }: JudgedChat, report: Report): void {
  for (const send of sends) {
    const { key } = send.invoked;
    const text = textOf(send.invoked);
    const stored = final.messages.filter((message) => message.role === "visitor" && message.text === text);
    const where = `${key} (“${text}”) in ${final.chat.id}`;
    if (isOk(send)) {
      if (stored.length !== 1) report("stored_once", `${where} stands there ${stored.length} times`);
      const fileIds = (send.invoked.request as { fileIds?: string[] }).fileIds ?? [];
      const files = stored[0]?.files.map(({ id }) => id) ?? [];
      if (stored.length === 1 && !isSame(files.toSorted(), fileIds.toSorted()))
        report("stored_once", `${where} has other files`);
      for (const { item } of send.results) {
        const { message } = item as MessageTurn;
        if (message.id !== stored[0]?.id) report("stored_once", `${where} is ${message.id} in its result`);
      }
    } else if (stored.length > 1) {
      report("unknown_at_most_once", `${where} stands there ${stored.length} times`);
    } else if (stored.length === 1 && send.ended?.outcome === "failed" && send.ended.isListed !== true) {
      report("refused_is_absent", `${where} was refused with ${send.ended.code}`);
    }
  }
}

function checkReplies({ final, sends, forms }: JudgedChat, report: Report): void {
  const { messages, chat } = final;
  const byText = new Map(sends.map((send) => [textOf(send.invoked), send]));
  let time = "";
  /** The customer's latest message without a reply. */
  let open: Message | null = null;
  let unasked = 0;
  for (const message of messages) {
    if ((message.createdAt ?? time) < time)
      report("reply_follows", `${message.id} is older than what it follows`);
    time = message.createdAt ?? time;
    if (message.chatId !== chat.id) report("own_data", `${message.id} of ${message.chatId} is in ${chat.id}`);
    if (message.role === "visitor") {
      if (!byText.has(message.text)) report("own_reply", `nobody sent ${message.id} (“${message.text}”)`);
      open = message;
    } else if (message.role === "agent") {
      if (open === null) unasked += 1;
      else checkAnswer(byText.get(open.text), open, message, report);
      open = null;
    }
  }
  // A reply that follows no message answers a form.
  if (unasked > forms.filter(({ ended }) => ended?.outcome !== "failed").length)
    report("one_reply", `${unasked} messages of the agent in ${chat.id} answer nothing`);
  for (const send of sends)
    for (const { item } of send.results) checkTurn(item as MessageTurn, final, report);
}

function checkAnswer(send: Write | undefined, message: Message, reply: Message, report: Report): void {
  const asked = nonceOf(message.text);
  const named = nonceOf(reply.text);
  if (named !== undefined && named !== asked)
    report("own_reply", `${reply.id} names ${named} where ${asked} was asked for`);
  if (send?.invoked.expects === "echo" && named === undefined)
    report("own_reply", `${reply.id} does not name ${asked}, which was asked for`);
  for (const { item } of send?.results ?? []) {
    const told = (item as MessageTurn).reply;
    if (told !== null && told.id !== reply.id)
      report("one_reply", `${message.id} was answered by ${told.id}, and ${reply.id} follows it`);
  }
}

/** Compares a result with the list: the same message, followed directly by the same reply. */
function checkTurn({ message, reply }: MessageTurn, { messages, chat }: FinalChat, report: Report): void {
  const at = messages.findIndex(({ id }) => id === message.id);
  const isWithTeam = messages.slice(0, Math.max(at, 0)).some(({ role }) => role === "system");
  if (reply === null) {
    if (!isWithTeam) report("one_reply", `${message.id} in ${chat.id} succeeded without a reply`);
    return;
  }
  const follower = messages[at + 1];
  if (follower?.id !== reply.id) {
    const isThere = messages.some(({ id }) => id === reply.id);
    report(
      isThere ? "reply_follows" : "nothing_missing",
      `${reply.id} does not follow ${message.id} in ${chat.id}`,
    );
  } else if (follower.text !== reply.text) report("own_reply", `${reply.id} was told with another text`);
}

function checkReplays({ invoked, results }: Write, report: Report): void {
  // A replayed creation returns the chat in its current state. `one_chat` compares the IDs.
  if (invoked.operation === "createChat") return;
  const [first, ...others] = results;
  for (const other of others) {
    if (!isSame(first?.item, other.item))
      report("equal_replays", `${invoked.key} (${invoked.operation}) has two results`);
  }
}

function checkFirstExecutions(history: readonly HistoryRecord[], report: Report): void {
  const firsts = new Map<string, number>();
  for (const record of history) {
    if (record.type === "answered" && record.status === 201)
      firsts.set(record.key, (firsts.get(record.key) ?? 0) + 1);
  }
  for (const [key, count] of firsts)
    if (count > 1) report("one_first", `${key} was answered 201 ${count} times`);
}

function checkStreams(
  history: readonly HistoryRecord[],
  writes: ReadonlyMap<string, Write>,
  report: Report,
): void {
  const replyOf = new Map<string, string>();
  const messageOf = new Map<string, string>();
  for (const record of history) {
    if (record.type !== "streamed") continue;
    const { key, done, text, messageId, replyId } = record;
    for (const [known, id] of [
      [messageOf, messageId],
      [replyOf, replyId],
    ] as const) {
      if (id === null) continue;
      if ((known.get(key) ?? id) !== id)
        report("equal_replays", `${key} began as ${known.get(key)} and as ${id}`);
      known.set(key, id);
    }
    if (done === null) continue;
    if (done.message.id !== messageId)
      report("equal_replays", `${key} began as ${messageId}, not ${done.message.id}`);
    const isQuestion = writes.get(key)?.invoked.expects === "question";
    const reply = done.reply?.text ?? "";
    if (text !== reply && !isQuestion)
      report("deltas_are_reply", `${key} streamed ${text.length} letters of a reply of ${reply.length}`);
  }
}

function checkForms({ final, forms }: JudgedChat, report: Report): void {
  const { collection, chat } = final;
  const versions = new Map<number, string>();
  let latest: { version: number; values: Map<string, string> } | undefined;
  for (const { invoked, results } of forms) {
    const request = invoked.request as { expectedVersion: number; values?: Record<string, string> };
    const saved = results[0]?.item as Collection | undefined;
    if (saved === undefined) continue;
    if (saved.version !== request.expectedVersion + 1)
      report("one_save", `${invoked.key} made version ${saved.version} of ${request.expectedVersion}`);
    const other = versions.get(saved.version);
    if (other !== undefined)
      report("one_save", `${invoked.key} and ${other} made the same version in ${chat.id}`);
    versions.set(saved.version, invoked.key);
    if (saved.version > collection.version)
      report("nothing_missing", `version ${saved.version} of the form in ${chat.id} is gone`);
    if (request.values !== undefined && saved.version > (latest?.version ?? 0))
      latest = { version: saved.version, values: new Map(Object.entries(request.values)) };
  }
  // A later save with an unknown outcome may have changed the value.
  if (forms.some(({ ended }) => ended?.outcome === "unknown")) return;
  for (const [fieldId, value] of latest?.values ?? []) {
    const kept = collection.values.find((answer) => answer.fieldId === fieldId)?.value;
    if (kept !== value)
      report("nothing_missing", `the answer to ${fieldId} in ${chat.id} is ${kept}, not ${value}`);
  }
}

function checkHandoff({ final, handoffs }: JudgedChat, report: Report): void {
  const { chat, messages } = final;
  const notices = messages.filter(({ role }) => role === "system").length;
  if (chat.handoff !== null && notices === 0)
    report("one_handoff", `${chat.id} was passed on without a notice`);
  const succeeded = handoffs.filter(isOk);
  if (succeeded.length > 1) report("one_handoff", `${chat.id} was passed on under ${succeeded.length} keys`);
  if (succeeded.length > 0 && chat.handoff === null)
    report("one_handoff", `${chat.id} was passed on and does not know of it`);
  if (chat.handoff !== null && handoffs.every(({ ended }) => ended?.outcome === "failed"))
    report("one_handoff", `${chat.id} was passed on, though nobody was told so`);
}

/** Shorter than a notice's lease (`channel/channel-limits.ts`). */
const withinLease = 10_000;

function checkNotices(
  history: readonly HistoryRecord[],
  chats: ReadonlyMap<string, JudgedChat>,
  report: Report,
): void {
  const noticed = new Set<string>();
  const deliveredAt = new Map<string, number>();
  const again: string[] = [];
  let suspensions = 0;
  for (const record of history) {
    if (record.type === "fault" && record.what.startsWith("channel SIGSTOP")) suspensions += 1;
    if (record.type !== "noticed") continue;
    noticed.add(record.chatId);
    // A later delivery follows a kill: the claim of the killed process had to end first.
    if (record.at - (deliveredAt.get(record.notice) ?? -Infinity) < withinLease) again.push(record.notice);
    deliveredAt.set(record.notice, record.at);
  }
  for (const notice of again.slice(suspensions)) report("one_notice", `${notice} was delivered twice`);
  for (const { final } of chats.values())
    if (final.chat.handoff !== null && !noticed.has(final.chat.id))
      report("one_notice", `the team was not told of ${final.chat.id}`);
}

function checkFile({ invoked, results }: Write, report: Report): void {
  const { filename, text } = invoked.request as { filename: string; text: string };
  for (const { item } of results) {
    const file = item as File;
    if (file.filename !== filename || file.byteSize !== Buffer.byteLength(text))
      report("one_file", `${invoked.key} stored ${file.filename} with ${file.byteSize} bytes`);
  }
}

function checkLists(
  history: readonly HistoryRecord[],
  chats: ReadonlyMap<string, JudgedChat>,
  writes: ReadonlyMap<string, Write>,
  report: Report,
): void {
  /** The acknowledged writes of each chat, with their times. */
  const acknowledged = new Map<string, { id: string; at: number }[]>();
  const acknowledge = (chatId: string, id: string, at: number) => {
    const known = acknowledged.get(chatId) ?? [];
    known.push({ id, at });
    acknowledged.set(chatId, known);
  };
  for (const { results } of writes.values()) {
    for (const { item, operation, at } of results) {
      if (operation !== "sendMessage") continue;
      const { message, reply } = item as MessageTurn;
      acknowledge(message.chatId, message.id, at);
      if (reply !== null) acknowledge(message.chatId, reply.id, at);
    }
  }
  for (const record of history) {
    if (record.type !== "listed") continue;
    const final = chats.get(record.chatId)?.final.messages ?? [];
    const positions = new Map(final.map((message, index) => [message.id, index]));
    let last = -1;
    for (const item of record.items) {
      const index = positions.get(item.id);
      if (index === undefined || final[index]?.text !== item.text) {
        report("nothing_missing", `${item.id} was listed in ${record.chatId} and is not there as it was`);
        continue;
      }
      if (index <= last) report("nothing_missing", `${item.id} has moved in ${record.chatId}`);
      last = index;
    }
    const listed = new Set(record.items.map(({ id }) => id));
    for (const { id, at } of acknowledged.get(record.chatId) ?? []) {
      if (at < record.since && !listed.has(id))
        report("nothing_missing", `${id} was acknowledged and then missing in a list of ${record.chatId}`);
    }
  }
}

function checkOwners(
  history: readonly HistoryRecord[],
  writes: ReadonlyMap<string, Write>,
  chats: ReadonlyMap<string, JudgedChat>,
  report: Report,
): void {
  const ownerOfText = new Map<string, string>();
  for (const { invoked } of writes.values())
    if (invoked.operation === "sendMessage") ownerOfText.set(textOf(invoked), invoked.customer);
  const look = (customer: string, items: readonly Message[], where: string) => {
    for (const { role, text, id } of items) {
      const owner = role === "visitor" ? ownerOfText.get(text) : undefined;
      if (owner !== undefined && owner !== customer) report("own_data", `${id} of ${owner} is in ${where}`);
    }
  };
  const userOf = new Map<string, string>();
  for (const { final } of chats.values()) {
    look(final.customer, final.messages, final.chat.id);
    const user = userOf.get(final.customer) ?? final.chat.userId;
    if (user !== final.chat.userId) report("own_data", `${final.customer} has chats of two users`);
    userOf.set(final.customer, user);
  }
  if (new Set(userOf.values()).size !== userOf.size) report("own_data", "two customers are one user");
  for (const record of history) {
    if (record.type === "listed") look(record.customer, record.items, `a list for ${record.customer}`);
    else if (record.type === "result" && record.operation === "sendMessage")
      look(record.customer, [(record.item as MessageTurn).message], `a result for ${record.customer}`);
  }
}

/**
 * Each customer text contains a nonce in the form of an order number, which the agent repeats in its reply.
 */
export function createNonces(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `X-${String(count).padStart(6, "0")}`;
  };
}

export function nonceOf(text: string): string | undefined {
  return /\bX-\d{6}\b/.exec(text)?.[0];
}

function isSame(a: unknown, b: unknown): boolean {
  return stable(a) === stable(b);
}

/** JSON with sorted properties. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
