/**
 * New data folders for embedded channels. Creating a database takes seconds of CPU time, so the first one is
 * kept among the temporary files and the others are copies of it.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChannelProgram } from "../../processes/channel-program.ts";
import { root } from "../../processes/root.ts";
import { testKeys } from "../test-keys.ts";

const migrations = join(root, "channel", "db", "migrations");
const channelKey = "dep_template";

/** Creates a data folder with a migrated, empty database. The caller removes it. */
export async function newChannelFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shop-chat-channel-"));
  await cp(await templateFolder(), folder, { recursive: true });
  return folder;
}

let template: Promise<string> | undefined;

function templateFolder(): Promise<string> {
  template ??= findOrCreateTemplate();
  return template;
}

async function findOrCreateTemplate(): Promise<string> {
  const path = join(tmpdir(), `shop-chat-channel-template-${await schemaVersion()}`);
  if (existsSync(path)) return path;
  const fresh = await mkdtemp(`${path}.`);
  // Under another key, so that each test's channel is created with its own settings, such as its hours.
  const channel = await startChannelProgram({ ...testKeys, channelKey }, { folder: fresh });
  await channel.program.stop();
  try {
    await rename(fresh, path);
  } catch (error) {
    // Another process has created the template meanwhile.
    if (!existsSync(path)) throw error;
    await rm(fresh, { recursive: true });
  }
  return path;
}

/** Changes with the migrations and with the installed packages, PGlite among them. */
async function schemaVersion(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(migrations)).toSorted())
    if (name.endsWith(".sql")) hash.update(await readFile(join(migrations, name)));
  hash.update(await readFile(join(root, "package-lock.json"))).update(channelKey);
  return hash.digest("hex").slice(0, 16);
}
