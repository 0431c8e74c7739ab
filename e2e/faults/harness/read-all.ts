/** Reads, after a run, the results of all keys except refused ones again, and everything that is stored. */
import { upstreamKey } from "#lib/bff/http/route.ts";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { HandoffBody } from "#lib/chat-api/operations/handoff.ts";
import type { SendMessageBody } from "#lib/chat-api/operations/send-message.ts";
import type { SubmitCollectionBody } from "#lib/chat-api/operations/submit-collection.ts";
import type { ChatClient } from "#lib/chat-client/client.ts";
import { channelClient } from "../../../testing/channel-client.ts";
import { testKeys } from "../../../testing/test-keys.ts";
import type { History, Invoked } from "./history.ts";
import type { Layout } from "./layout.ts";
import { allMessages, recorded } from "./reading.ts";

const replaysAtOnce = 8;

/**
 * Asks the Chat API directly for the result of every key that was not refused, of a message as JSON and as a
 * stream, then for all chats.
 */
export async function readAll(layout: Layout, history: History): Promise<void> {
  const client = channelClient({ channelUrl: layout.labUrl, ...testKeys });
  const chats = chatsOf(history);
  for (const pass of ["json", "stream"] as const) {
    const work = repeatable(history, chats).filter(
      ({ invoked }) => pass === "json" || invoked.operation === "sendMessage",
    );
    await inParallel(work, (write) => replay(client, history, write, pass));
  }
  await inParallel([...chats.values()], async ({ customer, chat }) => {
    const messages = await allMessages(client, chat.id);
    const [now, collection] = [await client.getChat(chat.id), await client.getCollection(chat.id)];
    history.add({ type: "final", customer, chat: now, messages, collection });
  });
}

interface OwnedChat {
  customer: string;
  chat: Chat;
}

/** Chats by the key that created them. */
function chatsOf(history: History): Map<string, OwnedChat> {
  const chats = new Map<string, OwnedChat>();
  for (const record of history.records) {
    if (record.type === "result" && record.operation === "createChat")
      chats.set(record.key, { customer: record.customer, chat: record.item as Chat });
  }
  return chats;
}

interface Repeatable {
  invoked: Invoked;
  chat: Chat;
}

/** Every write that is not known to have been refused, in the order of the requests. */
function repeatable(history: History, chats: ReadonlyMap<string, OwnedChat>): Repeatable[] {
  const refusedKeys = new Set<string>();
  const users = new Map([...chats.values()].map(({ chat }) => [chat.id, chat]));
  for (const record of history.records)
    if (record.type === "ended" && record.outcome === "failed") refusedKeys.add(record.key);
  return history.records.flatMap((record) => {
    if (record.type !== "invoked" || refusedKeys.has(record.key)) return [];
    const chat =
      record.chatId === null ? chats.get(record.createKey ?? record.key)?.chat : users.get(record.chatId);
    return chat === undefined ? [] : [{ invoked: record, chat }];
  });
}

async function replay(
  client: ChatClient,
  history: History,
  { invoked, chat }: Repeatable,
  pass: "json" | "stream",
): Promise<void> {
  const { operation, key, customer, request } = invoked;
  const call = {
    idempotencyKey: upstreamKey({
      userId: chat.userId,
      operation,
      ...(operation === "createChat" ? {} : { chatId: chat.id }),
      browserKey: key,
    }),
  };
  const tell = ({ item, replayed }: { item: unknown; replayed: boolean }) => {
    history.add({ type: "result", customer, operation, key, item });
    // Uses the customer's key, so that a second execution would show.
    if (!replayed && operation !== "submitCollection")
      history.add({ type: "answered", customer, operation, key, status: 201 });
  };
  try {
    if (operation === "createChat") {
      tell(await client.createChat({ userId: chat.userId, locale: "en" }, call));
    } else if (operation === "sendMessage" && pass === "stream") {
      await replayStream(client, history, { invoked, chat }, call.idempotencyKey);
    } else if (operation === "sendMessage") {
      tell(await client.sendMessage(chat.id, request as SendMessageBody, call));
    } else if (operation === "uploadFile") {
      const { filename, text } = request as { filename: string; text: string };
      tell(
        await client.uploadFile(
          chat.id,
          { bytes: new Blob([text]), filename, mediaType: "text/plain" },
          call,
        ),
      );
    } else if (operation === "submitCollection") {
      const { values, ...rest } = request as Omit<SubmitCollectionBody, "values"> & {
        values?: Record<string, string>;
      };
      const body = values === undefined ? rest : { ...rest, values: new Map(Object.entries(values)) };
      tell(await client.submitCollection(chat.id, body, call));
    } else tell(await client.handoff(chat.id, request as HandoffBody, call));
  } catch (error) {
    const code = error instanceof Error ? error.message : String(error);
    const known = history.records.findLast(
      (record) => record.type === "ended" && record.key === key && record.outcome === "ok",
    );
    // The key of a successful operation must return the same result, not an error.
    if (known !== undefined) history.add({ type: "broken", what: `${key} (${operation}) answers: ${code}` });
  }
}

async function replayStream(
  client: ChatClient,
  history: History,
  { invoked, chat }: Repeatable,
  idempotencyKey: string,
): Promise<void> {
  const { key, customer } = invoked;
  const stream = client.streamMessage(chat.id, invoked.request as SendMessageBody, { idempotencyKey });
  await recorded(stream, { history, customer, key }).read(() => undefined);
  if (stream.replayed === false)
    history.add({ type: "answered", customer, operation: "sendMessage", key, status: 201 });
}

async function inParallel<T>(work: readonly T[], act: (piece: T) => Promise<void>): Promise<void> {
  const left = [...work];
  await Promise.all(
    Array.from({ length: replaysAtOnce }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await act(next);
    }),
  );
}
