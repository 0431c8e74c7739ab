/** Reads the configuration and creates the log, which also works while the configuration has problems. */
import {
  type Config,
  ConfigurationError,
  type Environment,
  type Problem,
  readProcessConfig,
} from "../configuration/env.ts";
import { requireNode } from "../configuration/node-version.ts";
import { createLog, type LogOptions, secretsOf } from "../observability/log.ts";
import type { Logger } from "../observability/observe.ts";

export interface LoadedConfiguration {
  /** Undefined if there are problems. */
  config: Config | undefined;
  problems: readonly Problem[];
  log: Logger;
}

/** Once per process and chat server, because each log keeps its last lines for the end of the process. */
export function loadConfiguration(
  settings: Environment | undefined,
  output: Pick<LogOptions, "basePath" | "destination">,
): LoadedConfiguration {
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
