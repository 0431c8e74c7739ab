/** Compares the ledger with a model (docs/chat-api.md, "Idempotency"). */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MessageTurn } from "#lib/chat-api/message.ts";
import { cases } from "../../testing/unit/cases.ts";
import { changeChat, requireChat } from "../chats/chat-store.ts";
import { readTurnStream } from "../testing/read-turn-stream.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { canonicalJson, fingerprint } from "./fingerprint.ts";

type Step =
  | { do: "create"; key: number; locale: string }
  | { do: "send"; key: number; chat: number; text: string; stream: boolean }
  | { do: "close"; chat: number };

const key = fc.integer({ min: 0, max: 3 });
const chat = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("create" as const), key, locale: fc.constantFrom("en", "de") }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      key,
      chat,
      text: fc.constantFrom("One", "Two"),
      stream: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("close" as const), chat }) },
);

/** Closes a chat right after a reply: the channel then claims the next turn without reading the chat. */
const closedAfterReply: Step[] = [
  { do: "create", key: 0, locale: "en" },
  { do: "send", key: 1, chat: 0, text: "One", stream: false },
  { do: "close", chat: 0 },
  { do: "send", key: 2, chat: 0, text: "One", stream: false },
];

/** A key's request and result. */
interface Done {
  request: string;
  item: unknown;
}

interface Model {
  keys: Map<number, Done>;
  chatIds: string[];
  closed: Set<string>;
  /** The expected message list of each chat. */
  texts: Map<string, string[]>;
}

interface Outcome {
  status: number;
  code: string | undefined;
  item: unknown;
}

async function send(
  channel: TestChannel,
  chatId: string,
  at: Step & { do: "send" },
  realKey: string,
): Promise<Outcome> {
  const headers = { accept: at.stream ? "text/event-stream" : "application/json" };
  const response = await channel.request(`/chats/${chatId}/messages`, {
    body: { text: at.text },
    key: realKey,
    headers,
  });
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    const read = await readTurnStream(response);
    const last = read.events.at(-1);
    const item: MessageTurn | undefined = last?.type === "done" ? last.item : undefined;
    expect(read.text).toBe(item?.reply?.text);
    return { status: response.status, code: undefined, item };
  }
  const body = (await response.json()) as { item?: unknown; error?: { code: string } };
  return { status: response.status, code: body.error?.code, item: body.item };
}

async function run(
  channel: TestChannel,
  model: Model,
  at: Step,
  keyName: (key: number) => string,
): Promise<void> {
  if (at.do === "close") {
    const chatId = model.chatIds[at.chat];
    if (chatId === undefined) return;
    const { database, channelKey } = channel;
    // `changeChat` advances the chat's version: without that, the next message would miss the change.
    const chat = await requireChat(database.sql, { channelKey, chatId });
    await changeChat(database.sql, chat, { mode: "resolved" }, new Date());
    model.closed.add(chatId);
    return;
  }
  const known = model.keys.get(at.key);
  if (at.do === "create") {
    const request = `create ${at.locale}`;
    const response = await channel.call<{ item: { id: string }; error?: { code: string } }>("/chats", {
      body: { locale: at.locale },
      key: keyName(at.key),
    });
    if (known !== undefined && known.request !== request) {
      expect([response.status, response.body.error?.code]).toEqual([409, "idempotency_conflict"]);
    } else {
      expect(response.status).toBe(known === undefined ? 201 : 200);
      if (known === undefined) {
        model.keys.set(at.key, { request, item: response.body.item.id });
        model.chatIds.push(response.body.item.id);
        model.texts.set(response.body.item.id, []);
      } else expect(response.body.item.id).toBe(known.item);
    }
    return;
  }
  const chatId = model.chatIds[at.chat];
  if (chatId === undefined) return;
  const request = `send ${chatId} ${at.text}`;
  const outcome = await send(channel, chatId, at, keyName(at.key));
  if (known !== undefined && known.request !== request) {
    expect([outcome.status, outcome.code]).toEqual([409, "idempotency_conflict"]);
  } else if (known !== undefined) {
    expect([outcome.status, outcome.item]).toEqual([200, known.item]);
  } else if (model.closed.has(chatId)) {
    // The refusal is not stored: the key stays free.
    expect([outcome.status, outcome.code]).toEqual([409, "chat_closed"]);
  } else {
    expect(outcome.status).toBe(201);
    model.keys.set(at.key, { request, item: outcome.item });
    model.texts.get(chatId)?.push(at.text, `Echo: ${at.text}`);
  }
}

test("any sequence of repeated requests runs each key once and replays its result", async () => {
  const channel = await testChannel();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const names = new Map<number, string>();
      const keyName = (name: number) => {
        const known = names.get(name) ?? randomUUID();
        names.set(name, known);
        return known;
      };
      const model: Model = { keys: new Map(), chatIds: [], closed: new Set(), texts: new Map() };
      for (const at of steps) await run(channel, model, at, keyName);
      for (const [chatId, texts] of model.texts) {
        const page = await channel.call<{ items: { text: string }[] }>(`/chats/${chatId}/messages?limit=50`);
        expect(page.body.items.map((message) => message.text)).toEqual(texts);
      }
    }),
    { numRuns: cases(20), examples: [[closedAfterReply]] },
  );
});

test("a fingerprint ignores key order, Maps and absent members, and nothing else", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
  expect(
    canonicalJson(
      new Map([
        ["__proto__", "1"],
        ["a", "2"],
      ]),
    ),
  ).toBe('{"__proto__":"1","a":"2"}');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
    }),
  );
  const one = fingerprint("POST", "/a", { x: 1 });
  expect(one).toBe(fingerprint("POST", "/a", { x: 1 }));
  for (const other of [
    fingerprint("GET", "/a", { x: 1 }),
    fingerprint("POST", "/b", { x: 1 }),
    fingerprint("POST", "/a", { x: "1" }),
  ])
    expect(other).not.toBe(one);
});
