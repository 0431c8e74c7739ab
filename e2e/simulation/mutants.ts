/**
 * Faults to put into the product, one at a time: the simulation has to find each (`run-mutants.ts`). A mutant
 * replaces one place of one file when Node loads it, so no file changes.
 */
import { registerHooks } from "node:module";

export interface Mutant {
  file: string;
  /** Occurs once in the file. */
  find: string;
  put: string;
  /** Only the real channel has the file. */
  isOfChannel?: true;
}

const deliver = "lib/engine/delivery/deliver-message.ts";
const loop = "lib/engine/delivery/delivery-loop.ts";
const store = "lib/engine/outbox/outbox-store.ts";
const matching = "lib/engine/outbox/matching.ts";
const outgoing = "lib/engine/delivery/outgoing.ts";
const reducer = "lib/engine/state/reducer.ts";
const create = "lib/engine/create-chat.ts";
const forms = "lib/engine/forms/forms.ts";
const newChat = "lib/engine/delivery/new-chat.ts";
const model = "e2e/simulation/model.ts";
const turns = "channel/turns/turn-store.ts";
const engine = "channel/turns/turn-engine.ts";

const ofProduct: Record<string, Mutant> = {
  // The engine's delivery.
  "each attempt has a key of its own": {
    file: deliver,
    find: "idempotencyKey: record.key,",
    put: "idempotencyKey: crypto.randomUUID(),",
  },
  "a message leaves the outbox before its outcome is known": {
    file: deliver,
    find: "      onStart();\n",
    put: "      onStart();\n      deps.outbox.remove(record.key);\n",
  },
  "a message leaves the outbox when it is sent": {
    file: deliver,
    find: "deps.outbox.update(record.key, { attempted: true, pause: null, ...place });",
    put: "deps.outbox.remove(record.key);",
  },
  "a failed attempt counts as delivered": {
    file: deliver,
    find: "      if (deps.signal.aborted) return;\n      const failed",
    put: "      if (isStored) return void deps.outbox.remove(record.key);\n      const failed",
  },
  "a new chat's key is renewed at each attempt": {
    file: newChat,
    find: "{ idempotencyKey: createKey }",
    put: "{ idempotencyKey: crypto.randomUUID() }",
  },
  "messages that wait are not told their new chat": {
    file: store,
    find: "if (record.createKey === createKey && record.chatId === null)",
    put: "if (record.createKey === createKey && record.chatId !== null)",
  },
  "no lock is taken for sending": {
    file: "lib/engine/tabs/tabs.ts",
    find: "if (locks === undefined) return",
    put: 'if (locks === undefined || name.startsWith("send:")) return',
  },
  "messages are sent in any order": {
    file: store,
    find: ".sort((a, b) => a.createdAt - b.createdAt);",
    put: ".sort((a, b) => (a.key < b.key ? -1 : 1));",
  },
  "another tab sends what is its turn": {
    file: loop,
    find: "if (!outbox.isOfPage(record.key) && !takesOver) return record.key;",
    put: "",
  },
  "a refused message goes out again by itself": {
    file: loop,
    find: "due().find((record) => conversationName(record) === name);",
    put: "outbox.all().find((record) => conversationName(record) === name);",
  },
  "only the last of two messages is kept": {
    file: outgoing,
    find: "outbox.put({ ...asNew(), createKey, chatId, locale: locale(), text, files });",
    put: "{ for (const o of outbox.all()) if (!o.attempted) outbox.remove(o.key); outbox.put({ ...asNew(), createKey, chatId, locale: locale(), text, files }); }",
  },
  "a refusal removes the message": {
    file: deliver,
    find: "  outbox.update(record.key, { refusal });",
    put: "  outbox.remove(record.key);",
  },
  "a listed message settles two equal ones": {
    file: matching,
    find: " && !record.takenIds.includes(message.id)",
    put: "",
  },
  // What is shown.
  "the pages of a list join without an overlap": {
    file: "lib/bff/chats/chat-pages.ts",
    find: "const isWhole = at >= 0 || items",
    put: "const isWhole = true || items",
  },
  "the deltas of a repeated stream are appended": {
    file: "lib/chat-client/reply-text.ts",
    find: "    this.#repeatedLength = 0;\n    const earlier = this.#shownStart;",
    put: "    this.#repeatedLength = this.#shown.length;\n    const earlier = this.#shownStart;",
  },
  "a delta is shown twice": {
    file: reducer,
    find: "return { ...reply, text: reply.text + text };",
    put: "return { ...reply, text: reply.text + text + text };",
  },
  "listed messages are appended without a comparison": {
    file: "lib/engine/state/messages.ts",
    find: "[...new Map(next.map((message) => [message.id, message])).values()]",
    put: "[...shown, ...next]",
  },
  "news is not polled": {
    file: "lib/engine/history/poller.ts",
    find: "if (!signal.aborted && wait > 0)",
    put: "if (!signal.aborted && wait > 0 && failures > 0)",
  },
  "a failed poll ends polling": {
    file: "lib/engine/history/poller.ts",
    find: "return plan(dueIn(backOff, { count: failures, elapsed: 0, askedWait }) ?? 0);",
    put: "return;",
  },
  // Files, forms, offers, consent.
  "an uploaded file does not reach the draft": {
    file: "lib/engine/uploads/uploads.ts",
    find: 'end({ state: "attached", fileId: item.id });',
    put: "return store.set({ uploads: all().filter((one) => one.key !== key) });",
  },
  "typed answers are forgotten when the form is read": {
    file: forms,
    find: "    if (chat === null || version === readFor || !isNeeded) return;",
    put: "    if (openId !== null && version !== readFor) changeForm(chatId, openId, { typed: new Map() });\n      if (chat === null || version === readFor || !isNeeded) return;",
  },
  "another offer is accepted than the pressed one": {
    file: forms,
    find: "const body = { confirmationId, locale, ...(email === null ? {} : { email }) };",
    put: 'const body = { confirmationId, locale, email: "other@shop.example" };',
  },
  "a file goes out before the customer agrees": {
    file: create,
    find: "const hasConsent = () => store.getState().hasConsent;",
    put: "const hasConsent = () => true;",
  },
  // Ends and customers.
  "close() leaves its timers": {
    file: create,
    find: "      chats?.close();\n      closing.abort();",
    put: "",
  },
  "a sign-in keeps the former customer's conversation": {
    file: create,
    find: "if (owner === store.getState().owner) chats",
    put: "if (store.getState().owner !== null) chats",
  },
  "requests go on after close()": {
    file: "lib/engine/until.ts",
    find: "      signal.throwIfAborted();\n",
    put: "      if (signal.aborted || !signal.aborted) return send(address, init);\n",
  },
  "what a guest has left is gone without a word": {
    file: "lib/engine/owner-chats.ts",
    find: "if (isNamed) takeLeftBehind",
    put: "if (!isNamed && isNamed) takeLeftBehind",
  },
  "a retry does not wait": {
    file: "lib/chat-client/retry.ts",
    find: "const timer = setTimeout(wake, milliseconds);",
    put: "const timer = setTimeout(wake, Math.min(milliseconds, 1));",
  },
  // The chat server.
  "the chat server makes a key for each request": {
    file: "lib/bff/http/route.ts",
    find: '["v1", userId, operation, chatId, browserKey]',
    put: '["v1", userId, operation, chatId, browserKey, String(Math.random())]',
  },
  "the chat server's keys do not name the operation": {
    file: "lib/bff/http/route.ts",
    find: '["v1", userId, operation, chatId, browserKey]',
    put: '["v1", userId, browserKey.slice(0, 1)]',
  },
  // The Chat API.
  "the Chat API forgets its keys": {
    file: model,
    find: "    const operation = operations.get(key);\n",
    put: "    const operation = operations.get(key + call.requestId);\n",
  },
  "the Chat API claims a turn without a fence": {
    file: model,
    find: "if (stored.turn !== turn || turn.attempt !== attempt) return;",
    put: "",
  },
  "the Chat API tells the team twice": {
    file: model,
    find: "      notices.push(",
    put: "      notices.push({ chatId: chat.id, confirmationId: offer.id, email: address });\n      notices.push(",
  },
};

const ofChannel: Record<string, Omit<Mutant, "isOfChannel">> = {
  "attempts are not counted": { file: turns, find: ".attempts} + 1`,", put: ".attempts}`," },
  "a released turn counts as an attempt": {
    file: turns,
    find: ".attempts} - 1`",
    put: ".attempts}`",
  },
  "a new attempt keeps its fence": { file: turns, find: ".fence} + 1`,", put: ".fence}`," },
  "an interrupted turn does not free its chat": {
    file: turns,
    find: "update chats set active_operation_id = null from operation",
    put: "update chats set active_operation_id = active_operation_id from operation",
  },
  "leases are not renewed": {
    file: engine,
    find: "renewLease(database.sql, attempt).then(",
    put: "Promise.resolve(true).then(",
  },
  "a stopping process keeps its turns": {
    file: engine,
    find: "      await releaseLease(this.#deps.database.sql, turn.attempt);\n",
    put: "",
  },
};

export const mutants: Readonly<Record<string, Mutant>> = {
  ...ofProduct,
  ...Object.fromEntries(
    Object.entries(ofChannel).map(([name, mutant]) => [name, { ...mutant, isOfChannel: true as const }]),
  ),
};

/** The source of the mutant's file with its fault. */
export function sourceWith({ file, find, put }: Mutant, source: string): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`"${find}" does not occur once in ${file}`);
  return before + put + after;
}

/** Loads the named mutant's file with its fault from now on. */
export function putIn(name: string, among: Readonly<Record<string, Mutant>> = mutants): void {
  const mutant = among[name];
  if (mutant === undefined) throw new Error(`no mutant is called "${name}"`);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/${mutant.file}`)) return loaded;
      return { ...loaded, source: sourceWith(mutant, String(loaded.source)) };
    },
  });
}
