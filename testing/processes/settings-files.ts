import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { root } from "../../scripts/root.ts";

/** The settings files that Next's server reads. */
const suffixes = ["", ".local", ".production", ".production.local", ".development", ".development.local"];

function namesIn(file: string): string[] {
  if (!existsSync(file)) return [];
  // Some editors write a byte order mark.
  return Object.keys(parseEnv(readFileSync(file, "utf8").replace(/^\ufeff/, "")));
}

/**
 * An environment that hides a developer's settings files from a program under test. Each variable of a file
 * is present and empty, because an existing variable overrides Next's files.
 */
export function hideSettingsFiles(env: NodeJS.ProcessEnv, folder = root): NodeJS.ProcessEnv {
  const names = suffixes.flatMap((suffix) => namesIn(join(folder, `.env${suffix}`)));
  return { ...Object.fromEntries(names.map((name) => [name, ""])), ...env };
}
