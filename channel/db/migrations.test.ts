/** A new version opens the databases of every version before it. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { findChat } from "../chats/chat-store.ts";
import type { TeamChat } from "../team/team-inbox.ts";
import { newPostgresDatabase } from "../testing/channel-process.ts";
import { openTemplate } from "../testing/pglite-template.ts";
import { testChannel } from "../testing/test-channel.ts";
import { postgresUrl, testDatabase } from "../testing/test-database.ts";
import type { Database } from "./database.ts";
import { migrationsFolder } from "./migrations-folder.ts";
import { openDatabase } from "./open-database.ts";

const channelKey = "dep_demo_shop";

/**
 * Databases of released versions: `pg_dump --inserts` after the channel of that day had served a chat with a
 * file, a form and a handoff. Before a release that changes the schema, add one.
 */
function dumpOf(day: string): string {
  return readFileSync(new URL(`../testing/landed-schemas/${day}.sql`, import.meta.url), "utf8");
}

/** The address of a database on the engine under test in which the statements have run. */
async function databaseWith(statements: string): Promise<string> {
  if (postgresUrl !== "") {
    const url = await newPostgresDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statements);
    await client.end();
    return url;
  }
  const parent = await mkdtemp(join(tmpdir(), "shop-chat-schema-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, "channel");
  // An emptied copy takes a fraction of the time of a new database.
  const database = await openTemplate({ dataDir: folder });
  await database.exec("drop schema public, drizzle cascade; create schema public");
  await database.exec(statements);
  await database.close();
  return folder;
}

test.each(["2026-11-24", "2026-11-29"])("reads a chat that the version of %s has stored", async (day) => {
  const database = await openDatabase(await databaseWith(dumpOf(day)));
  onTestFinished(() => database.close());
  const channel = await testChannel({ database, channelKey });
  const inbox = await (await channel.asTeam("/team/chats?mode=waiting")).json();
  const [{ chat, email }] = (inbox as { items: [TeamChat] }).items;
  expect([chat.userId, chat.handoff?.status, email]).toEqual(["customer-1", "waiting", "ana@example.com"]);
  const messages = await channel.messagesOf(chat.id);
  expect(messages.map(({ text }) => text)).toEqual([
    "Hello",
    "Which size?",
    "Shall I ask the team?",
    "Your chat has been passed to our team.",
  ]);
  const file = await channel.request(`/chats/${chat.id}/files/${messages[0]?.files[0]?.id}`);
  expect(await file.text()).toBe("My rear wheel wobbles.");
  expect((await channel.collectionOf(chat.id)).values).toMatchObject([{ fieldId: "size", value: "54" }]);
  const ref = { channelKey, chatId: chat.id };
  const offer = {
    confirmationId: expect.stringMatching(/^offer_/),
    requiresEmail: expect.any(Boolean),
    details: null,
  };
  expect((await findChat(database.sql, ref))?.latestOffer).toEqual(offer);
  // Earlier versions stored holidays that move with Easter.
  for (const { date } of channel.channel.settings.current().hours?.closures ?? [])
    expect(date).toMatch(/^\d/);
  expect((await channel.send(chat.id, { text: "Still there?" })).status).toBe(201);
  expect(await schemaOf(database)).toEqual(await schemaOf(await testDatabase()));
});

async function schemaOf({ sql: db }: Database): Promise<unknown[]> {
  const { rows } = await db.execute(sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by table_name, column_name`);
  const { rows: indexes } = await db.execute(
    sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname`,
  );
  return [...rows, ...indexes];
}

test("says that a database of another program was left as it is, not that it is damaged", async () => {
  const url = await databaseWith("create table chats (id integer)");
  const refusal = await openDatabase(url).then(
    () => "opened",
    (error: Error) => `${error.name}: ${error.message}`,
  );
  expect(refusal).toContain(
    'StartError: The database has other tables than the channel expects (relation "chats"',
  );
  expect(refusal).not.toMatch(/damaged|mv /);
});

/**
 * Databases have applied these migrations and apply only later ones. A changed or missing one leaves them
 * with another schema than a new database has. A new migration adds a row.
 */
test("never changes a migration that databases have applied", () => {
  const migrations = readMigrationFiles({ migrationsFolder });
  expect(migrations.map(({ folderMillis, hash }) => [folderMillis, hash.slice(0, 12)])).toEqual([
    [1795214196113, "6adbf210dc27"],
    [1795214485946, "a840d6062fbb"],
    [1795214923759, "42dd54f2f7bc"],
    [1795215597327, "afe99d9372ac"],
    [1795544316402, "d249eb9de53a"],
    [1795547127909, "30b2343d4c9a"],
    [1795906943370, "67a0f34c5bde"],
    [1795908980676, "095f540e3cc6"],
    [1795941317034, "e29b732ac5b8"],
    [1795976370220, "1d69aa12fd3f"],
    [1795989560099, "3f5821312ac2"],
    [1796072836469, "7a0f8fa1b9f7"],
  ]);
});
