/** Keys that are generated at first start and kept in the data folder, readable by the current user only. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDataFolder, refuseFolder, StartError } from "./start-error.ts";

const keyBytes = 32;

/** Reads the key from its file; generates it when there is none. */
export async function loadOrCreateKey(
  dataDir: string,
  name: string,
  prefix: "ck_" | "tk_" | "",
): Promise<string> {
  await makeDataFolder(dataDir);
  await createKey(join(dataDir, name), prefix).catch((cause) => refuseFolder(dataDir, cause));
  const key = readKey(dataDir, name);
  if (!key.startsWith(prefix) || !/^[\x21-\x7e]+$/.test(key))
    throw new StartError(
      `${join(dataDir, name)} holds no key${prefix && ` that begins with ${prefix}`}: delete the file, and a new key is made.`,
    );
  return key;
}

/** Linked into place once complete: a process that starts at the same time reads a whole key. */
async function createKey(path: string, prefix: string): Promise<void> {
  const random = randomBytes(keyBytes).toString("base64url");
  const draft = `${path}.${random.slice(0, 8)}`;
  try {
    await writeFile(draft, `${prefix}${random}\n`, { mode: 0o600, flag: "wx" });
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** @throws StartError if there is no such key, or if this user may not read it */
export function readKey(dataDir: string, name: string): string {
  try {
    return readFileSync(join(dataDir, name), "utf8").trim();
  } catch (cause) {
    return refuseFolder(dataDir, cause);
  }
}
