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
const outbox = "channel/handoffs/outbox.ts";
const team = "channel/team/team-actions.ts";
const watch = "channel/turns/watch-turn.ts";

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
  "the list settles a message that it does not show": {
    file: deliver,
    find: "if (outcome !== null || match === undefined) return outcome;",
    put: "if (match === undefined) { outbox.remove(record.key); return null; }",
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
  "a refused message goes out again by itself": {
    file: loop,
    find: "outbox.all().find((record) => record.refusal === null && conversationName(record) === name);",
    put: "outbox.all().find((record) => conversationName(record) === name);",
  },
  "what may be stored is sent again under a new key": {
    file: outgoing,
    find: "if (keepsKey(record.refusal))",
    put: "if (!keepsKey(record.refusal))",
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
  "one listed message settles two equal ones": {
    file: matching,
    find: ".find((candidate) => !owners.has(candidate));",
    put: ".map((candidate) => (owners.has(candidate) ? { ...candidate } : candidate))[0];",
  },
  "a doubtful match counts as certain": {
    file: matching,
    find: "isCertain: !doubtful.has(message)",
    put: "isCertain: true",
  },
  "an earlier equal message settles a later one": {
    file: matching,
    find: "    .slice(seen + 1)\n",
    put: "    .slice(seen < 0 ? 0 : 0)\n",
  },
  "a message that may be stored is sent again, not looked up": {
    file: deliver,
    find: 'const step = isListable ? ({ step: "look_up" } as const) : next;',
    put: "const step = next;",
  },
  "two tabs renew the key of a new chat differently": {
    file: newChat,
    find: "Number(count) + 1",
    put: "Number(count) + Math.ceil(Math.random() * 1e6)",
  },
  "a chat is asked for in the latest language": {
    file: newChat,
    find: "storage.read(name) ?? ofMessage ?? locale",
    put: "locale",
  },
  "a late write of another tab restores a delivered message": {
    file: store,
    find: "    write(changed, change);\n",
    put: "    write(changed, change);\n    storage.write(messageName(key), JSON.stringify(changed));\n",
  },
  "a tab that hangs keeps its locks": {
    file: "lib/engine/tabs/tabs.ts",
    find: "      if (count > 1) onSilence();\n",
    put: "",
  },
  "a proxy's 502 counts as a refusal": {
    file: "lib/chat-client/error-response.ts",
    find: "(status > 500 ? ",
    put: "(status > 502 ? ",
  },
  // What is shown.
  "news joins what it does not meet": {
    file: reducer,
    find: "const hasGap = !isLate && !isIn(end, listedId);",
    put: "const hasGap = false;",
  },
  "the pages of a list join without an overlap": {
    file: "lib/bff/chats/page-order.ts",
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
  "a delivered message may be an equal one's as well": {
    file: store,
    find: "other.key !== key && ",
    put: "other.key === key && ",
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
  "each attempt at an upload has a key of its own": {
    file: "lib/engine/uploads/uploads.ts",
    find: "{ idempotencyKey: key, signal }",
    put: "{ idempotencyKey: crypto.randomUUID(), signal }",
  },
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
  "a form's request never ends": {
    file: forms,
    find: 'return setProgress({ state: "failed", action, failure: result.failure });',
    put: "return;",
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
    find: '  if (left.names("").length > 0)\n',
    put: '  if (left.names("").length < 0)\n',
  },
  "a retry does not wait": {
    file: "lib/chat-client/retry.ts",
    find: "const timer = setTimeout(wake, milliseconds);",
    put: "const timer = setTimeout(wake, Math.min(milliseconds, 1));",
  },
  // The chat server.
  "the chat server makes a key for each request": {
    file: "lib/bff/chats/idempotency.ts",
    find: '["v1", userId, operation, chatId, browserKey]',
    put: '["v1", userId, operation, chatId, browserKey, String(Math.random())]',
  },
  "the chat server's keys do not name the operation": {
    file: "lib/bff/chats/idempotency.ts",
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
  // Attempts at a turn.
  "attempts are not counted": { file: turns, find: ".attempts} + 1`,", put: ".attempts}`," },
  "a released turn counts as an attempt": {
    file: turns,
    find: ".attempts} - 1`",
    put: ".attempts}`",
  },
  "a new attempt keeps its fence": { file: turns, find: ".fence} + 1`,", put: ".fence}`," },
  "a reply of a lost attempt is stored": {
    file: turns,
    find: "{finish.fence}::integer and state",
    put: "{sql`fence`}::integer and state",
  },
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
  "a failed attempt is the last one": {
    file: engine,
    find: 'if (why !== "lost") {',
    put: 'if (why === "stopping") {',
  },
  "turns of processes that are gone are not resumed": {
    file: engine,
    find: "orphans.filter((orphan) => engine.live(orphan.id) === undefined);",
    put: "orphans.slice(orphans.length);",
  },
  "a process takes its own turn over": {
    file: engine,
    find: "orphans.filter((orphan) => engine.live(orphan.id) === undefined);",
    put: "orphans;",
  },
  "a turn waits for its lease although its process is gone": {
    file: turns,
    find: "{[...aliveOwners]})`",
    put: "{[...aliveOwners, sql`owner`]})`",
  },
  "a turn of a suspended process waits for it": {
    file: turns,
    find: ".leaseUntil} <= clock_timestamp() or",
    put: ".leaseUntil} <= '2000-01-01' or",
  },
  "a turn that runs is taken over": {
    file: turns,
    find: ".leaseUntil} <= clock_timestamp() or",
    put: ".leaseUntil} is not null or",
  },
  // What starts and ends turns.
  "a message of a chat that has changed is stored": {
    file: turns,
    find: "{sqlTime(chat.updatedAt)}\n        and active",
    put: "{sql`updated_at`}\n        and active",
  },
  "a send does not look its key up": {
    file: "channel/turns/send-message.ts",
    find: "if (state.operation !== null) return sentBefore(state.operation, request);",
    put: "",
  },
  "a form's follow-up does not occupy the chat": {
    file: "channel/turns/submit-collection.ts",
    find: "{ ...counted, activeOperationId: attempt.operationId }",
    put: "counted",
  },
  "a form's follow-up is not run": {
    file: "channel/turns/submit-collection.ts",
    find: "    deps.engine.run(started.followUp, { isStreamed: false });\n",
    put: "",
  },
  "a team's action leaves the turn": {
    file: team,
    find: "      await supersedeTurn(tx, before, now);\n",
    put: "",
  },
  "an offer outlives the team's action": { file: team, find: "    latestOfferId: null,\n", put: "" },
  "a write does not look its key up": {
    file: "channel/idempotency/run-once.ts",
    find: "const earlier = await findOperation(tx, request);",
    put: "const earlier: OperationRow | undefined = undefined;",
  },
  "a write is stored without its key": {
    file: "channel/idempotency/run-once.ts",
    find: "await record(tx, request, operationId, ended, now);",
    put: "await record(tx, { ...request, key: operationId }, operationId, ended, now);",
  },
  // Readers.
  "a lost turn's text is passed on": {
    file: watch,
    find: "const agrees = text.startsWith(passedOn);",
    put: "const agrees = true;",
  },
  "a reader joins the texts of two attempts": {
    file: watch,
    find: '      sequence = 0;\n      text = "";\n',
    put: "",
  },
  "a reader waits for a notification for ever": {
    file: watch,
    find: "      }, turnLimits.watchPoll);",
    put: "      }, 600 * turnLimits.watchPoll);",
  },
  "deltas are not stored for other processes": {
    file: "channel/turns/delta-log.ts",
    find: "if (!isFollowed || isStopped",
    put: "if (isFollowed || isStopped",
  },
  // Notices to the team.
  "a handoff writes no notice": {
    file: "channel/handoffs/accept-handoff.ts",
    find: "  await tx.insert(outbox).values({",
    put: '  if (chat.mode === "waiting") await tx.insert(outbox).values({',
  },
  "a notice is delivered twice at once": {
    file: outbox,
    find: "isDue(clock.now()), isFree)",
    put: "isDue(clock.now()))",
  },
  "a notice is removed before it is delivered": {
    file: outbox,
    find: "    await notifyTeam(notice);",
    put: "    await database.sql.delete(outbox).where(isOfNotice);\n    await notifyTeam(notice);",
  },
  "a notice that failed is not due again": {
    file: outbox,
    find: "    await database.sql.update(outbox).set({ leaseUntil: null }).where(isOfNotice);",
    put: "    await database.sql.delete(outbox).where(isOfNotice);",
  },
  "a delivered notice stays due": {
    file: outbox,
    find: "  await database.sql.delete(outbox).where(isOfNotice);\n",
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
