/** Reads the configuration and creates the log, which also works while the configuration has faults. */
import {
  type Config,
  ConfigurationError,
  type Environment,
  type Fault,
  readProcessConfig,
} from "../configuration/env.ts";
import { requireNode } from "../configuration/node-version.ts";
import { createLog, type LogDestination, type Logger, secretsOf } from "../observability/log.ts";

export interface CheckedConfiguration {
  /** Undefined if there are faults. */
  config: Config | undefined;
  faults: readonly Fault[];
}

export function checkConfiguration(given?: Environment): CheckedConfiguration {
  try {
    requireNode();
    return { config: readProcessConfig(given), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { config: undefined, faults: error.faults };
  }
}

/** Once per process and chat server, because each log keeps its last lines for the end of the process. */
export function loadConfiguration(
  given?: Environment,
  destination?: LogDestination,
): CheckedConfiguration & { log: Logger } {
  const checked = checkConfiguration(given);
  const { logLevel: level = "info" } = checked.config ?? {};
  const secrets = checked.config === undefined ? [] : secretsOf(checked.config);
  return { ...checked, log: createLog({ level, secrets, destination }) };
}
