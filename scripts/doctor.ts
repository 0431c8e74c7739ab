/**
 * `npm run doctor`: checks the configuration of `npm start`, the Chat API, Redis, the clock and the proxy. It
 * prints one line for each check with its remedy, changes nothing and prints no secret.
 */
import { randomBytes } from "node:crypto";
import {
  type Config,
  ConfigurationError,
  configurationWarnings,
  readConfig,
} from "#lib/bff/configuration/env.ts";
import { requireNode } from "#lib/bff/configuration/node-version.ts";
import { requireOptional } from "#lib/bff/configuration/optional-package.ts";
import { streamPause } from "#lib/bff/routes/health.ts";
import { defaultBasePath } from "#lib/chat-api/base-path.ts";
import { chatApiRemedy } from "./chat-api-check.ts";
import { doesNotRun, problems } from "./doctor/problems.ts";
import {
  demoWasStarted,
  loadSettings,
  shopEnvironment,
  strayKeys,
  wantsEmbeddedChannel,
} from "./launcher/environment.ts";

const tolerableClockDifference = 60_000;
/** Milliseconds. */
const patience = 5_000;

let failed = false;

function report(ok: boolean, what: string, remedy = ""): void {
  failed ||= !ok;
  console.log(`${ok ? "ok  " : "FAIL"}  ${what}${ok || remedy === "" ? "" : `\n      ${remedy}`}`);
}

function reportCheck(name: keyof typeof problems, ok: boolean, found = ""): void {
  const { passes, fails, remedy } = problems[name];
  report(ok, ok ? passes : fails, found + remedy);
}

/** True unless the check throws. */
function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** A developer's shop needs no secret of its own: it has the default address, and `npm run dev` makes one. */
function withDevelopmentSecret(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env["SESSION_SECRET"] || env["APP_ORIGIN"]) return env;
  console.log("note  SESSION_SECRET is missing: `npm run dev` makes its own, but `npm start` needs one.");
  return { ...env, SESSION_SECRET: randomBytes(32).toString("base64") };
}

async function checkConfiguration(
  settings: NodeJS.ProcessEnv,
  embedded: boolean,
): Promise<Config | undefined> {
  const stray = strayKeys(settings);
  if (stray !== undefined) console.log(`note  ${stray}`);
  // Only the launchers create secrets.
  if (embedded && !demoWasStarted(settings)) {
    reportCheck("started", false);
    return undefined;
  }
  try {
    const config = readConfig(withDevelopmentSecret(await shopEnvironment("start", settings)));
    const channel = embedded ? "the embedded channel" : "a live channel";
    report(true, `The configuration is complete (${channel}, shop at ${config.appOrigin})`);
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
  const { Redis } = requireOptional("ioredis");
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  // Reported once, below.
  redis.on("error", () => undefined);
  const answers = await redis
    .connect()
    .then(() => redis.ping())
    .then(() => true)
    .catch(() => false);
  reportCheck("redis", answers);
  redis.disconnect();
}

/** Undefined if nothing answers in time. */
function ask(url: string): Promise<Response | undefined> {
  return fetch(url, { redirect: "manual", signal: AbortSignal.timeout(patience) }).catch(() => undefined);
}

async function checkClock({ upstream }: Config): Promise<void> {
  const response = await ask(upstream.baseUrl);
  await response?.body?.cancel();
  const theirs = Date.parse(response?.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return;
  const difference = Date.now() - theirs;
  const found = `It is ${Math.round(Math.abs(difference) / 1000)} s ${difference < 0 ? "behind" : "ahead"}. `;
  reportCheck("clock", Math.abs(difference) <= tolerableClockDifference, found);
}

/** Reads the chat server's test stream at the address of the browsers, through every proxy on the way. */
async function checkStream({ appOrigin }: Config): Promise<void> {
  const response = await ask(`${appOrigin}${defaultBasePath}/health/stream`);
  if (response === undefined) {
    console.log(`note  ${doesNotRun}`);
    return;
  }
  const isOurs =
    response.ok && response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  reportCheck("otherProgram", isOurs);
  if (isOurs) reportCheck("stream", (await durationOf(response)) > streamPause / 2);
  else await response.body?.cancel();
}

/** Milliseconds from the first piece of the body to the last. */
async function durationOf({ body }: Response): Promise<number> {
  let first: number | undefined;
  let last = 0;
  for await (const _ of body ?? []) {
    last = performance.now();
    first ??= last;
  }
  return last - (first ?? last);
}

reportCheck("node", passes(requireNode));
const settings = loadSettings();
const embedded = wantsEmbeddedChannel(settings);
const config = await checkConfiguration(settings, embedded);
if (config !== undefined) {
  await checkChatApi(config, embedded);
  if (config.redisUrl !== undefined) await checkRedis(config.redisUrl);
  await checkClock(config);
  await checkStream(config);
}
process.exit(failed ? 1 : 0);
