/** Reads the configuration and creates the log, which also works while the configuration has problems. */
import {
  type Config,
  ConfigurationError,
  type Environment,
  type Problem,
  readProcessConfig,
} from "../configuration/env.ts";
import { requireNode } from "../configuration/node-version.ts";
import { createLog, type LogDestination, secretsOf } from "../observability/log.ts";
import type { Logger } from "../observability/observe.ts";

export interface CheckedConfiguration {
  /** Undefined if there are problems. */
  config: Config | undefined;
  problems: readonly Problem[];
}

export function checkConfiguration(settings?: Environment): CheckedConfiguration {
  try {
    requireNode();
    return { config: readProcessConfig(settings), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { config: undefined, problems: error.problems };
  }
}

/** Once per process and chat server, because each log keeps its last lines for the end of the process. */
export function loadConfiguration(
  settings?: Environment,
  destination?: LogDestination,
): CheckedConfiguration & { log: Logger } {
  const result = checkConfiguration(settings);
  const { logLevel: level = "info" } = result.config ?? {};
  const secrets = result.config === undefined ? [] : secretsOf(result.config);
  return { ...result, log: createLog({ level, secrets, destination }) };
}
