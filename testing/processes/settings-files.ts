import { join } from "node:path";
import { root } from "../../processes/root.ts";
import { readSettings } from "../../processes/settings-file.ts";

/** The settings files that Next's server reads. */
const suffixes = ["", ".local", ".production", ".production.local", ".development", ".development.local"];

/**
 * An environment that hides a developer's settings files from a program under test. Each variable of a file
 * is present and empty, because an existing variable overrides Next's files.
 */
export function hideSettingsFiles(env: NodeJS.ProcessEnv, folder = root): NodeJS.ProcessEnv {
  const names = suffixes.flatMap((suffix) => Object.keys(readSettings(join(folder, `.env${suffix}`))));
  return { ...Object.fromEntries(names.map((name) => [name, ""])), ...env };
}
