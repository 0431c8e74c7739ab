/** Watching a turn, usually through its rows, as if another process ran it. */
import { expect, test, vi } from "vitest";
import { turnLimits } from "../channel-limits.ts";
import { neverKilled } from "../kill-points.ts";
import { claimed, finish } from "../testing/claimed-turn.ts";
import { gate } from "../testing/scripted-agent.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { TurnEngine } from "./turn-engine.ts";
import { type Attempt, nextAttempt, storeText } from "./turn-store.ts";
import { type TurnUpdate, watchTurn } from "./watch-turn.ts";

const neverAborted = new AbortController().signal;

function engineOf({ database, agent, channel: { settings } }: TestChannel): TurnEngine {
  const { clock } = settings;
  return new TurnEngine({ database, agent, clock, settings, reach: neverKilled, report: () => undefined });
}

/** A turn that has streamed "One ", which its watcher has already passed on. */
async function watchedTurn() {
  const channel = await testChannel();
  const { database } = channel;
  const engine = engineOf(channel);
  const { chatId, attempt } = await claimed(channel);
  const { operationId } = attempt;
  const updates = watchTurn({ database, engine }, operationId, neverAborted);
  const store = (by: Attempt, text: string) => storeText(database.sql, by, text);
  await store(attempt, "One ");
  expect(await updates.next()).toEqual({ done: false, value: { type: "delta", text: "One " } });
  return {
    sql: database.sql,
    attempt,
    store,
    finish: (by: Attempt, text: string) => finish(channel, chatId, by, text),
    async replace(): Promise<Attempt> {
      const next = await nextAttempt(database.sql, attempt, database.owner);
      if (next === undefined) throw new Error("the attempt is not running");
      return next;
    },
    /** The watcher's next update. */
    async look(): Promise<TurnUpdate | undefined> {
      const update = updates.next();
      await database.notify(operationId);
      return (await update).value ?? undefined;
    },
  };
}

test("follows a turn that starts in its own process while the rows are read", async () => {
  const channel = await testChannel();
  const engine = engineOf(channel);
  const { attempt } = await claimed(channel);
  const updates = watchTurn({ database: channel.database, engine }, attempt.operationId, neverAborted);
  const first = updates.next();
  engine.run(attempt);
  expect((await first).value).toMatchObject({ type: "delta" });
});

test("passes on the text of each read, then the end", async () => {
  const turn = await watchedTurn();
  await turn.store(turn.attempt, "One two three.");
  expect(await turn.look()).toEqual({ type: "delta", text: "two three." });
  await turn.finish(turn.attempt, "One two three.");
  expect(await turn.look()).toMatchObject({ type: "end", outcome: { state: "succeeded" } });
});

test("reads a replacing attempt from its beginning", async () => {
  const turn = await watchedTurn();
  const next = await turn.replace();
  await turn.store(next, "One two three.");
  expect(await turn.look()).toEqual({ type: "delta", text: "two three." });
});

test("waits until a replacing attempt has caught up", async () => {
  const turn = await watchedTurn();
  const next = await turn.replace();
  await turn.store(next, "On");
  const reads = vi.spyOn(turn.sql, "select");
  const update = turn.look();
  // PGlite runs queries in order.
  await expect.poll(() => reads).toHaveBeenCalledTimes(1);
  await turn.store(next, "One two.");
  expect(await update).toEqual({ type: "delta", text: "two." });
});

const unavailable = { type: "end", outcome: { state: "failed", error: { code: "service_unavailable" } } };

test("ends with service_unavailable when a shorter attempt has ended the turn", async () => {
  const turn = await watchedTurn();
  const next = await turn.replace();
  await turn.store(next, "On");
  await turn.finish(next, "On");
  expect(await turn.look()).toMatchObject(unavailable);
});

test("stops when its reader leaves, although the turn continues", async () => {
  const channel = await testChannel();
  const { opened, open } = gate();
  channel.agent.answer(async function* () {
    yield { type: "text", text: "One " };
    await opened;
  });
  const engine = engineOf(channel);
  const { attempt } = await claimed(channel);
  engine.run(attempt);
  const reader = new AbortController();
  const updates = watchTurn({ database: channel.database, engine }, attempt.operationId, reader.signal);
  expect(await updates.next()).toMatchObject({ value: { text: "One " } });
  const update = updates.next();
  const live = engine.live(attempt.operationId);
  expect(live?.watchers.size).toBe(1);
  reader.abort();
  expect(await update).toEqual({ done: true, value: undefined });
  expect(live?.watchers.size).toBe(0);
  open();
  await expect.poll(() => engine.live(attempt.operationId)).toBeUndefined();
});

test("waits through database outages that are more than a lease apart", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const channel = await testChannel();
  const { database } = channel;
  let failures: number | null = null;
  const sql = new Proxy(database.sql, {
    get(target, name, receiver) {
      if (name !== "select" || failures === null) return Reflect.get(target, name, receiver);
      failures += 1;
      throw Object.assign(new Error("terminating connection"), { code: "57P01" });
    },
  });
  const { attempt } = await claimed(channel);
  const { operationId } = attempt;
  const { signal } = new AbortController();
  const updates = watchTurn(
    { database: { ...database, sql }, engine: engineOf(channel) },
    operationId,
    signal,
  );
  let streamed = "";
  for (const [index, text] of ["One ", "two ", "three."].entries()) {
    failures = index === 0 ? null : 0;
    const update = updates.next();
    await database.notify(operationId);
    if (index > 0) await expect.poll(() => failures).toBeGreaterThan(0);
    failures = null;
    streamed += text;
    await storeText(database.sql, attempt, streamed);
    await database.notify(operationId);
    expect(await update).toMatchObject({ value: { type: "delta", text } });
    vi.advanceTimersByTime(turnLimits.lease + 1);
  }
});
