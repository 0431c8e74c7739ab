/** Connections that PostgreSQL terminates. */
import { execFileSync } from "node:child_process";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { newPostgresDatabase } from "../testing/channel-process.ts";
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
