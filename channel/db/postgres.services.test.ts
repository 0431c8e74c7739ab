/** Connections that PostgreSQL terminates, the lab of one process, and two channels behind PgBouncer. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, inject, onTestFinished, test } from "vitest";
import { startPgBouncer } from "../../testing/services/pgbouncer.ts";
import { newPostgresDatabase } from "../testing/channel-process.ts";
import { readTurnStream } from "../testing/read-turn-stream.ts";
import { heldReply } from "../testing/scripted-agent.ts";
import { testChannel } from "../testing/test-channel.ts";
import { openPostgres } from "./postgres.ts";
import { LabInUse } from "./postgres-presence.ts";

/** The size of a process's pool. */
const connections = 16;

/** A child process terminates all connections while this process waits, and so cannot notice it yet. */
function endConnections(url: string): void {
  const program = `
    import pg from "pg";
    const client = new pg.Client({ connectionString: ${JSON.stringify(url)} });
    await client.connect();
    await client.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity " +
      "where datname = current_database() and pid <> pg_backend_pid()");
    await client.end();`;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
}

test("a failed begin returns its connection to the pool", async () => {
  const url = await newPostgresDatabase();
  const database = await openPostgres(url);
  onTestFinished(() => database.close());
  const atOnce = () =>
    Promise.allSettled(
      Array.from({ length: connections }, () =>
        database.transaction(async (tx) => void (await tx.execute(sql`select pg_sleep(0.05)`))),
      ),
    );
  const failures = (results: PromiseSettledResult<void>[]) =>
    results.filter(({ status }) => status === "rejected").length;

  expect(failures(await atOnce())).toBe(0);
  endConnections(url);
  // The pool has not noticed the lost connections yet.
  expect(failures(await atOnce())).toBe(connections);
  await expect.poll(async () => failures(await atOnce())).toBe(0);
});

test("gives the lab to one process of a database at a time", async () => {
  const url = await newPostgresDatabase();
  const first = await openPostgres(url, { hasLab: true });
  await expect(openPostgres(url, { hasLab: true })).rejects.toThrow(LabInUse);
  const without = await openPostgres(url);
  await first.close();
  const next = await openPostgres(url, { hasLab: true });
  await Promise.all([without.close(), next.close()]);
});

const pgbouncer = inject("pgbouncer");

/** Opens channels behind one PgBouncer in transaction mode. */
async function behindPgBouncer() {
  const directUrl = await newPostgresDatabase();
  const bouncer = await startPgBouncer(pgbouncer, directUrl);
  onTestFinished(bouncer.stop);
  return async (channelKey?: string) => {
    const database = await openPostgres(bouncer.url, { directUrl });
    const channel = await testChannel({ database, ...(channelKey === undefined ? {} : { channelKey }) });
    channel.channel.start();
    onTestFinished(async () => {
      await channel.channel.stop(0);
      await database.close();
    });
    return channel;
  };
}

test.runIf(pgbouncer !== "")("two channels share chats, streams and keys through PgBouncer", async () => {
  const open = await behindPgBouncer();
  const one = await open();
  const two = await open(one.channelKey);
  const chats = await Promise.all(Array.from({ length: 20 }, () => one.createChat()));
  const sent = await Promise.all(chats.map((chatId) => two.send(chatId, { text: "Hello" })));
  expect(sent.map(({ body }) => body.item.reply?.text)).toEqual(chats.map(() => "Echo: Hello"));

  const [chatId = ""] = chats;
  const [reply, key] = [heldReply(one.agent), randomUUID()];
  const first = readTurnStream(await one.stream(chatId, key));
  const joined = readTurnStream(await two.stream(chatId, key));
  reply.second();
  reply.third();
  expect([(await first).text, (await joined).text]).toEqual(["One two three.", "One two three."]);
});
