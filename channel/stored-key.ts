/** Keys that are generated at first start and kept in the data folder, readable by the current user only. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createWhole, makeDataFolder, refuseFolder, StartError } from "./start-error.ts";

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
