/** Two channels in one process and database, and two processes with the same channels. */
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { channels } from "./db/schema.ts";
import type { CreatedChannel } from "./lab/lab-routes.ts";
import { startedAfter, type TestChannel, testChannel, testOrigin } from "./testing/test-channel.ts";
import { testDatabase } from "./testing/test-database.ts";

/** A further channel, as its own keys see it through this process. */
async function further(through: TestChannel, keys?: CreatedChannel) {
  const item =
    keys ?? ((await (await through.asTeam("/lab/channels", {})).json()) as { item: CreatedChannel }).item;
  return {
    keys: item,
    create: () =>
      through.channel.fetch(
        new Request(`${testOrigin}/v1/channels/${item.channelKey}/chats`, {
          method: "POST",
          body: "{}",
          headers: {
            authorization: `Bearer ${item.chatKey}`,
            "content-type": "application/json",
            "idempotency-key": randomUUID(),
          },
        }),
      ),
  };
}

/** Makes the database, until the test ends, treat these writes of rows as the function's body says. */
async function onWrite(
  write: "insert" | "update",
  table: string,
  condition: string,
  body: string,
): Promise<() => Promise<unknown>> {
  const { sql: db } = await testDatabase();
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await db.execute(
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${body}; end $$`),
  );
  await db.execute(
    sql.raw(
      `create trigger ${name} before ${write} on ${table} for each row when (${condition}) execute function ${name}()`,
    ),
  );
  const remove = () => db.execute(sql.raw(`drop function if exists ${name} cascade`));
  onTestFinished(async () => void (await remove()));
  return remove;
}

test("refuses to create a chat in a channel that was removed from the database", async () => {
  const first = await testChannel();
  const world = await further(first);
  expect((await world.create()).status).toBe(201);
  await first.database.sql.execute(sql`delete from chats where channel_key = ${world.keys.channelKey}`);
  await first.database.sql.delete(channels).where(eq(channels.key, world.keys.channelKey));
  const refusals = await Promise.all(Array.from({ length: 10 }, world.create));
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([500]));
});

test("creates a channel with its keys from the beginning", async () => {
  const first = await testChannel();
  await onWrite("update", "channels", "old.chat_key is null", "raise exception 'away'");
  expect((await (await further(first)).create()).status).toBe(201);
});

test("gives up a write that never gets through", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = `stuck-${randomUUID()}`;
  await onWrite("insert", "operations", `new.key = '${key}'`, "return null");
  const send = await channel.send(chatId, { text: "Hello" }, { key });
  const upload = await channel.upload(chatId, "text", key);
  const create = await channel.call("/chats", { body: {}, key });
  expect([send.status, upload.status, create.status]).toEqual([503, 500, 429]);
});

test("opens a channel again whose opening has failed", async () => {
  const first = await testChannel();
  const { keys } = await further(first);
  const world = await further(await startedAfter(first), keys);
  const mend = await onWrite(
    "insert",
    "channels",
    `new.key = '${keys.channelKey}'`,
    "raise exception 'read-only'",
  );
  const refusal = await world.create();
  expect(refusal.headers.get("x-request-id")).toMatch(/^req_/);
  expect([refusal.status, await refusal.json()]).toMatchObject([500, { error: { code: "internal_error" } }]);
  await mend();
  expect((await world.create()).status).toBe(201);
});
