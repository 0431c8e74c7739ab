/**
 * `npm run doctor`: checks the configuration of `npm start`, the Chat API and Redis, and prints one line for
 * each check with its remedy. Changes nothing and prints no secret.
 */
import { Redis } from "ioredis";
import {
  type Config,
  ConfigurationError,
  configurationWarnings,
  readConfig,
} from "#lib/bff/configuration/env.ts";
import { chatApiRemedy } from "./chat-api-check.ts";
import {
  demoWasStarted,
  loadSettings,
  shopEnvironment,
  strayKeys,
  wantsEmbeddedChannel,
} from "./launcher/environment.ts";

let failed = false;

function report(ok: boolean, what: string, remedy = ""): void {
  failed ||= !ok;
  console.log(`${ok ? "ok  " : "FAIL"}  ${what}${ok || remedy === "" ? "" : `\n      ${remedy}`}`);
}

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fits = major > 22 || (major === 22 && minor >= 19);
  report(
    fits,
    `Node ${process.versions.node}`,
    "Use Node 22.19 or later; 24 is several times cheaper to run.",
  );
}

async function checkConfiguration(
  settings: NodeJS.ProcessEnv,
  embedded: boolean,
): Promise<Config | undefined> {
  const stray = strayKeys(settings);
  if (stray !== undefined) console.log(`note  ${stray}`);
  // Only the launchers create secrets.
  if (embedded && !demoWasStarted(settings)) {
    report(
      false,
      "The demo has not been started yet",
      "Run `npm run dev` once, or set the three CHAT_ variables.",
    );
    return undefined;
  }
  try {
    const config = readConfig(await shopEnvironment("start", settings));
    report(
      true,
      `The configuration is complete (${embedded ? "the embedded channel" : "a live channel"}, shop at ${config.appOrigin})`,
    );
    for (const { variable, remedy } of configurationWarnings(config))
      console.log(`note  ${variable} ${remedy}`);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const { variable, remedy } of error.problems) report(false, variable, remedy);
    return undefined;
  }
}

async function checkChatApi(config: Config, embedded: boolean): Promise<void> {
  const remedy = await chatApiRemedy(config);
  report(
    remedy === undefined,
    `The Chat API at ${config.upstream.baseUrl} serves ${config.upstream.channelKey}`,
    embedded ? "Does the demo run? `npm run dev` starts it, with its channel." : remedy,
  );
}

async function checkRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  // Reported once, below.
  redis.on("error", () => undefined);
  const answers = await redis
    .connect()
    .then(() => redis.ping())
    .then(() => true)
    .catch(() => false);
  report(
    answers,
    "Redis answers",
    "Check REDIS_URL. Without Redis each process counts its limits for itself.",
  );
  redis.disconnect();
}

checkNode();
const settings = loadSettings();
const embedded = wantsEmbeddedChannel(settings);
const config = await checkConfiguration(settings, embedded);
if (config !== undefined) {
  await checkChatApi(config, embedded);
  if (config.redisUrl !== undefined) await checkRedis(config.redisUrl);
}
process.exit(failed ? 1 : 0);
