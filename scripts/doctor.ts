/**
 * `npm run doctor`: checks the configuration of `npm start`, the Chat API, Redis, the clock and the proxy. It
 * prints one line for each check with its remedy, changes nothing and prints no secret.
 */
import { randomBytes } from "node:crypto";
import type { Config } from "#lib/bff/configuration/env.ts";
import { defaultBasePath } from "#lib/chat-api/base-path.ts";
import {
  demoWasStarted,
  exitWithRemedy,
  settingsOrExit,
  shopEnvironment,
  strayKeys,
  wantsEmbeddedChannel,
} from "../processes/environment.ts";
import { checkConfiguration, checkProcess, checkShop, exitCode, note, reportCheck } from "./doctor-checks.ts";

/** A developer's shop needs no secret: it has the default address, and `npm run dev` makes one. */
function withDevelopmentSecret(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env["SESSION_SECRET"] || env["APP_ORIGIN"]) return env;
  note("SESSION_SECRET is missing: `npm run dev` makes its own, but `npm start` needs one.");
  return { ...env, SESSION_SECRET: randomBytes(32).toString("base64") };
}

async function configured(settings: NodeJS.ProcessEnv, embedded: boolean): Promise<Config | undefined> {
  const stray = strayKeys(settings);
  if (stray !== undefined) note(stray);
  // Only the launchers create secrets.
  if (embedded && !demoWasStarted(settings)) {
    reportCheck("started", false);
    return undefined;
  }
  const environment = withDevelopmentSecret(await shopEnvironment("start", settings));
  return checkConfiguration(environment, embedded ? "the embedded channel" : "a live channel");
}

const settings = settingsOrExit();
checkProcess(settings);
const embedded = wantsEmbeddedChannel(settings);
const config = await configured(settings, embedded).catch(exitWithRemedy);
if (config !== undefined)
  await checkShop({
    config,
    basePath: defaultBasePath,
    chatApiAdvice: embedded ? "Does the demo run? `npm run dev` starts it, with its channel." : undefined,
  });
process.exit(exitCode());
