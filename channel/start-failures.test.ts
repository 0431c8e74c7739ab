/** What the channel says when it cannot start: the cause, what happened to the data, and the way out. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, onTestFinished, test } from "vitest";
import { newChannelFolder } from "../testing/processes/channel-folder.ts";
import { freePort, Program } from "../testing/processes/program.ts";
import { root } from "./root.ts";

/** Starts the program and returns what it prints until it ends with exit code 1. */
async function failure(env: Record<string, string>): Promise<string> {
  const port = await freePort();
  const program = new Program({
    name: "the channel",
    args: [join(root, "channel", "main.ts")],
    healthUrl: `http://127.0.0.1:${port}/healthz`,
    env: { NODE_ENV: "test", CHANNEL_PORT: String(port), ...env },
    onEnd: () => undefined,
  });
  onTestFinished(() => program.stop("SIGKILL"));
  expect(await program.ended).toBe(1);
  expect(program.output()).not.toMatch(/\n {4}at |^The channel cannot start\. \w*Error:/m);
  return program.output();
}

async function newFolder(): Promise<string> {
  const folder = await newChannelFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("names a data folder that cannot be written, and its variable", async () => {
  const file = join(await newFolder(), "file");
  await writeFile(file, "");
  const said = await failure({ CHANNEL_DATA_DIR: file });
  expect(said).toContain(`The data folder ${file} cannot be written`);
  expect(said).toContain("CHANNEL_DATA_DIR");
});

test("leaves a damaged database in place and says how to begin anew", async () => {
  const folder = await newFolder();
  const data = join(folder, "damaged");
  await mkdir(data);
  await writeFile(join(data, "PG_VERSION"), "15");
  const said = await failure({ CHANNEL_DATA_DIR: folder, CHANNEL_DATABASE_URL: data });
  expect(said).toContain(`The database in ${data} cannot be opened`);
  expect(said).toContain(`mv ${data} ${data}.damaged`);
});

test("refuses a database that a newer version has changed", async () => {
  const folder = await newFolder();
  const data = join(folder, "newer");
  const newer = await PGlite.create(data);
  await newer.exec(`
    create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${Date.UTC(2100, 0)})`);
  await newer.close();
  const said = await failure({ CHANNEL_DATA_DIR: folder, CHANNEL_DATABASE_URL: data });
  expect(said).toContain("The database belongs to a newer version of the channel");
  expect(said).toContain("CHANNEL_DATABASE_URL");
});
