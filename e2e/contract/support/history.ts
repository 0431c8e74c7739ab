/**
 * Checks histories: after a run, what was sent is what is stored, once, and in its order. Chats that a test
 * has deleted, or whose older messages are gone, are left out.
 */
import { isDeepStrictEqual } from "node:util";
import { Breach } from "./rules.ts";
import type { Chat, Message, MessagePage, MessageTurn } from "./shapes.ts";

/** One request of "Send a message", from `began` on, with what its response acknowledged. */
interface Sending {
  chatId: string;
  key: string;
  content: string;
  began: number;
  ended: number | undefined;
  /** Null for a refusal without an effect; undefined while the outcome is unknown. */
  turn: MessageTurn | null | undefined;
}

interface Reader {
  chat(chatId: string): Promise<Chat | undefined>;
  page(chatId: string, cursor: string | null): Promise<MessagePage>;
}

const contentOf = (text: string, fileIds: readonly string[]) => JSON.stringify([text, fileIds]);

export class History {
  readonly #chats = new Set<string>();
  readonly #sendings: Sending[] = [];
  #time = 0;

  created(chatId: string): void {
    this.#chats.add(chatId);
  }

  /** Returns the function that takes the outcome. */
  sends(chatId: string, key: string, body: object): (turn: MessageTurn | null) => void {
    const { text, fileIds } = body as { text?: unknown; fileIds?: unknown };
    const content = contentOf(typeof text === "string" ? text : "", Array.isArray(fileIds) ? fileIds : []);
    this.#time += 1;
    const sending: Sending = { chatId, key, content, began: this.#time, ended: undefined, turn: undefined };
    this.#sendings.push(sending);
    return (turn) => {
      this.#time += 1;
      sending.ended = this.#time;
      sending.turn = turn;
    };
  }

  /** Returns the numbers of chats and messages that were compared. @throws Breach */
  async check(reader: Reader): Promise<{ chats: number; messages: number }> {
    const counts = { chats: 0, messages: 0 };
    const byChat = Map.groupBy(this.#sendings, ({ chatId }) => chatId);
    for (const chatId of this.#chats) {
      const chat = await reader.chat(chatId);
      if (chat?.historyComplete !== true) continue;
      const messages = await storedIn(reader, chatId);
      compare(chatId, messages, byChat.get(chatId) ?? []);
      counts.chats += 1;
      counts.messages += messages.length;
    }
    return counts;
  }
}

/** All messages, the oldest first: the specification leaves the order of the pages open. */
async function storedIn(reader: Reader, chatId: string): Promise<Message[]> {
  const pages: Message[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await reader.page(chatId, cursor ?? null);
    pages.push(page.items);
    cursor = page.nextCursor;
  }
  const times = pages.flat().flatMap(({ createdAt }) => createdAt ?? []);
  return ((times[0] ?? "") > (times.at(-1) ?? "") ? pages.toReversed() : pages).flat();
}

function compare(chatId: string, messages: readonly Message[], sendings: readonly Sending[]): void {
  const at = new Map(messages.map(({ id }, index) => [id, index]));
  if (at.size < messages.length) throw new Breach("idempotency.once", `chat ${chatId} lists a message twice`);
  const position = ({ id }: Message) => at.get(id) ?? -1;

  const settled = sendings.filter((sending) => sending.turn != null);
  const turns = new Map(settled.map(({ turn, key }) => [key, turn as MessageTurn]));
  for (const { turn, key } of settled) {
    const { message, reply } = turn as MessageTurn;
    if (turns.get(key)?.message.id !== message.id)
      throw new Breach("idempotency.once", `the key ${key} has stored two messages in chat ${chatId}`);
    for (const sent of [message, ...(reply === null ? [] : [reply])]) {
      const stored = messages[position(sent)];
      if (stored === undefined || stored.text !== sent.text || stored.role !== sent.role)
        throw new Breach("send.turn", `chat ${chatId} does not list ${JSON.stringify(sent)}`);
      const same = isDeepStrictEqual(stored.files, sent.files) && stored.createdAt === sent.createdAt;
      if (!same) throw new Breach("send.turn", `chat ${chatId} lists ${sent.id} otherwise than it was sent`);
    }
    if (reply !== null && position(reply) < position(message))
      throw new Breach("list.pages", `chat ${chatId} lists a reply before its message`);
  }

  // What nobody acknowledged may be stored once for each key.
  const isKnown = new Set([...turns.values()].map(({ message }) => message.id));
  const open = Map.groupBy(
    sendings.filter(({ key, turn }) => turn === undefined && !turns.has(key)),
    ({ content }) => content,
  );
  const keys = new Map([...open].map(([content, all]) => [content, new Set(all.map(({ key }) => key)).size]));
  for (const { id, role, text, files } of messages) {
    if (role !== "visitor" || isKnown.has(id)) continue;
    const content = contentOf(
      text,
      files.map((file) => file.id),
    );
    const left = keys.get(content) ?? 0;
    if (left === 0)
      throw new Breach(
        "idempotency.once",
        `chat ${chatId} lists a message too many: ${content.slice(0, 200)}`,
      );
    keys.set(content, left - 1);
  }

  // A message that was answered before another was sent is listed before it.
  const inOrder = settled
    .filter(({ key, began }) => !settled.some((other) => other.key === key && other.began < began))
    .toSorted((a, b) => a.began - b.began);
  for (const later of inOrder)
    for (const earlier of inOrder) {
      if ((earlier.ended ?? Number.POSITIVE_INFINITY) >= later.began) continue;
      if (position((earlier.turn as MessageTurn).message) > position((later.turn as MessageTurn).message))
        throw new Breach(
          "list.pages",
          `chat ${chatId} lists its messages in another order than they were sent`,
        );
    }
}
