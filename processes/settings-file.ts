/** Settings files in the form of `.env.local`. */
import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** The file cannot be read as settings. The message is for people and names the remedy. */
export class SettingsFileError extends Error {}

/** Returns no settings if there is no such file. @throws SettingsFileError */
export function readSettings(file: string | undefined): NodeJS.Dict<string> {
  if (file === undefined || !existsSync(file)) return {};
  const bytes = readFileSync(file);
  // In UTF-16 each second byte of an ASCII character is 0, and no variable would be found.
  if (bytes.includes(0) || !isUtf8(bytes))
    throw new SettingsFileError(
      `${file} is not UTF-8 text: Windows PowerShell's > and some editors write UTF-16. Save it as UTF-8.`,
    );
  // A byte order mark of some editors would become part of the first variable's name.
  return parseEnv(bytes.toString("utf8").replace(/^\ufeff/, ""));
}
