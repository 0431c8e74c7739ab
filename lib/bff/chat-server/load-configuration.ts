/** Reads the configuration and creates the log, which also works while the configuration has problems. */
import { ConfigurationError, type Environment, readProcessConfig } from "../configuration/env.ts";
import { requireNode } from "../configuration/runtime.ts";
import { createLog, type LogOptions, secretsOf } from "../observability/log.ts";

/**
 * `config` is undefined if there are problems. Called once per process and chat server, because each log
 * keeps its last lines for the end of the process.
 */
export function loadConfiguration(
  settings: Environment | undefined,
  output: Pick<LogOptions, "basePath" | "destination">,
) {
  try {
    requireNode();
    const config = readProcessConfig(settings);
    const log = createLog({ ...output, level: config.logLevel, secrets: secretsOf(config) });
    return { config, problems: [], log };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const log = createLog({ ...output, level: "info", secrets: [] });
    return { config: undefined, problems: error.problems, log };
  }
}
