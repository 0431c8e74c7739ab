/** Messages of the channel when the database in its data folder cannot be opened. The data stays in place. */
import { mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, test } from "vitest";
import { failedStart, newFolder } from "./testing/channel-process.ts";

test("leaves a damaged database in place and says how to begin anew", async () => {
  const folder = await newFolder();
  const data = join(folder, "damaged");
  await mkdir(data);
  await writeFile(join(data, "PG_VERSION"), "15");
  const said = await failedStart({ CHANNEL_DATA_DIR: folder, CHANNEL_DATABASE_URL: data });
  expect(said).toContain(`The database in ${data} cannot be opened`);
  expect(said).toContain(`mv ${data} ${data}.damaged`);
});

test.each(["global/pg_control", "pg_wal", "base/5/pg_filenode.map"])(
  "says so when %s of the database is cut short",
  async (file) => {
    const folder = await newFolder();
    const data = join(folder, "channel");
    // The oldest segment of the log has the latest checkpoint.
    const [segment = ""] = file === "pg_wal" ? (await readdir(join(data, file))).toSorted() : [];
    await truncate(join(data, file, segment), 100);
    const said = await failedStart({ CHANNEL_DATA_DIR: folder });
    expect(said).toContain(`The database in ${data} cannot be opened`);
    expect(said).toContain(`They were left in place. To begin anew, move them away: mv ${data}`);
  },
);

test("refuses a database that a newer version has changed", async () => {
  const folder = await newFolder();
  const data = join(folder, "newer");
  const newer = await PGlite.create(data);
  await newer.exec(`
    create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${Date.UTC(2100, 0)})`);
  await newer.close();
  const said = await failedStart({ CHANNEL_DATA_DIR: folder, CHANNEL_DATABASE_URL: data });
  expect(said).toContain("The database belongs to a newer version of the channel");
  expect(said).toContain("CHANNEL_DATABASE_URL");
});
