/** Keys that are generated at first start and kept in the data folder, readable by the current user only. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, makeDataFolder, refuseFolder, StartError } from "./errors.ts";

const keyBytes = 32;

/** Reads the key from its file; generates it when there is none. */
export async function loadOrCreateKey(
  dataDir: string,
  name: string,
  prefix: "ck_" | "tk_" | "",
): Promise<string> {
  await makeDataFolder(dataDir);
  const fresh = `${prefix}${randomBytes(keyBytes).toString("base64url")}\n`;
  await createWhole(join(dataDir, name), fresh).catch((cause) => refuseFolder(dataDir, cause));
  const key = readKey(dataDir, name);
  if (!key.startsWith(prefix) || !/^[\x21-\x7e]+$/.test(key))
    throw new StartError(
      `${join(dataDir, name)} holds no key${prefix && ` that begins with ${prefix}`}: delete the file, and a new key is made.`,
    );
  return key;
}

/** @throws StartError if there is no such key, or if this user may not read it */
export function readKey(dataDir: string, name: string): string {
  try {
    return readFileSync(join(dataDir, name), "utf8").trim();
  } catch (cause) {
    return refuseFolder(dataDir, cause);
  }
}

/**
 * Creates the file with its whole content, readable by this user only. False if there is one: a process that
 * starts at the same time has written it, or reads this one whole.
 */
async function createWhole(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
