#!/usr/bin/env node
/**
 * `npx shop-chat`, in the folder of an app that has installed the package: takes the variables of the
 * environment and of the files that Next reads.
 */
import { parseArgs } from "node:util";
import { serve } from "../lib/bff/sidecar/serve.ts";
import { defaultBasePath } from "../lib/chat-api/base-path.ts";
import { readSettings, SettingsFileError } from "../processes/settings-file.ts";
import {
  checkAgents,
  checkConfiguration,
  checkProcess,
  checkShop,
  exitCode,
  report,
} from "./doctor-checks.ts";

const usage = `shop-chat doctor [--api PATH]

Checks this app's configuration, the Chat API, Redis, the clock and the proxy. Changes nothing, prints no secret.
  --api PATH   where the app serves the chat; ${defaultBasePath} if absent

shop-chat serve

Serves the chat at ${defaultBasePath}, or several agents, beside a shop in any language (docs/any-language.md).`;

/** Files of lower precedence first. */
const files = [".env", ".env.production", ".env.local", ".env.production.local"];

function readEnvironment(): NodeJS.ProcessEnv {
  const settings = files.map((file) => {
    try {
      return readSettings(file);
    } catch (error) {
      if (!(error instanceof SettingsFileError)) throw error;
      report(false, error.message);
      return {};
    }
  });
  return Object.assign({}, ...settings, process.env);
}

async function examine(api: string | undefined): Promise<void> {
  const environment = readEnvironment();
  checkProcess(environment);
  for (const { basePath, environment: own } of checkAgents(environment)) {
    const config = checkConfiguration(own, "a live channel");
    if (config !== undefined) await checkShop({ config, basePath: api ?? basePath });
  }
}

function parse() {
  try {
    const options = { api: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

const parsed = parse();
const [command, ...others] = parsed?.values.help === true ? [] : (parsed?.positionals ?? []);
if (command === "serve" && others.length === 0) {
  const environment = readEnvironment();
  if (exitCode() === 0) await serve(environment);
  else process.exit(exitCode());
} else if (command === "doctor" && others.length === 0) {
  await examine(parsed?.values.api);
  process.exit(exitCode());
} else {
  console.log(usage);
  process.exit(parsed?.values.help === true ? 0 : 2);
}
