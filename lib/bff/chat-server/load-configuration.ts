/** Reads the configuration and creates the log, which also works while the configuration has faults. */
import {
  type Config,
  ConfigurationError,
  type Environment,
  type Fault,
  readProcessConfig,
} from "../configuration/env.ts";
import { loadOptional } from "../configuration/optional-package.ts";
import { createLog, type LogDestination, type Logger, secretsOf } from "../observability/log.ts";

export interface LoadedConfiguration {
  /** Undefined if there are faults. */
  config: Config | undefined;
  faults: readonly Fault[];
  log: Logger;
}

/** Enabled features whose package is missing. */
function missingPackages({ redisUrl, metricsToken }: Config): Fault[] {
  const needs = [
    { variable: "REDIS_URL", isSet: redisUrl !== undefined, name: "ioredis" },
    { variable: "METRICS_TOKEN", isSet: metricsToken !== undefined, name: "prom-client" },
  ] as const;
  return needs
    .filter(({ isSet, name }) => isSet && loadOptional(name) === undefined)
    .map(({ variable, name }) => ({ variable, remedy: `needs a package: npm install ${name}` }));
}

export function loadConfiguration(given?: Environment, destination?: LogDestination): LoadedConfiguration {
  try {
    const config = readProcessConfig(given);
    const missing = missingPackages(config);
    if (missing.length > 0) throw new ConfigurationError(missing);
    const log = createLog({ level: config.logLevel, secrets: secretsOf(config), destination });
    return { config, faults: [], log };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const log = createLog({ level: "info", secrets: [], destination });
    return { config: undefined, faults: error.faults, log };
  }
}
