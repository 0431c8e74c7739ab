/** The checks of a configured shop: the Chat API, Redis, the clock, and the way from browsers to the chat. */

import {
  type Config,
  ConfigurationError,
  configurationWarnings,
  type Environment,
  readConfig,
} from "../../lib/bff/configuration/env.ts";
import { requireNode } from "../../lib/bff/configuration/node-version.ts";
import { requireOptional } from "../../lib/bff/configuration/optional-package.ts";
import { createBff } from "../../lib/bff/http/bff.ts";
import { createLog, secretsOf } from "../../lib/bff/observability/log.ts";
import { streamPause } from "../../lib/bff/routes/health.ts";
import { type Agent, readAgents } from "../../lib/bff/sidecar/agents.ts";
import { doesNotRun, note, report, reportCheck } from "./report.ts";

const tolerableClockDifference = 60_000;
/** Milliseconds. */
const patience = 5_000;

/** Checks this process: its Node, and whether it checks certificates. */
export function checkProcess(environment: Environment): void {
  reportCheck("node", passes(requireNode));
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") reportCheck("certificates", false);
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

/** The agents that `npx shop-chat serve` would serve with this environment. */
export function checkAgents(environment: Environment): Agent[] {
  try {
    return readAgents(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const { variable, remedy } of error.problems) report(false, variable, remedy);
    return [];
  }
}

/** @param channel Which Chat API it is, such as "a live channel". */
export function checkConfiguration(environment: Environment, channel: string): Config | undefined {
  try {
    const config = readConfig(environment);
    report(true, `The configuration is complete (${channel}, shop at ${config.appOrigin})`);
    for (const { variable, remedy } of configurationWarnings(config)) note(`${variable} ${remedy}`);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const { variable, remedy } of error.problems) report(false, variable, remedy);
    return undefined;
  }
}

export interface ShopToCheck {
  config: Config;
  /** Where the shop serves the chat, such as `/api/chat`. */
  basePath: string;
  /** Replaces what the check of the Chat API advises. */
  chatApiAdvice?: string | undefined;
}

export async function checkShop({ config, basePath, chatApiAdvice }: ShopToCheck): Promise<void> {
  const { baseUrl, channelKey } = config.upstream;
  const remedy = await chatApiRemedy(config);
  report(
    remedy === undefined,
    `The Chat API at ${baseUrl} serves ${channelKey}`,
    remedy && (chatApiAdvice ?? remedy),
  );
  if (config.redisUrl !== undefined) await checkRedis(config.redisUrl);
  await checkClock(baseUrl);
  const base = `${config.appOrigin}${basePath}`;
  if (await checkStream(`${base}/health/stream`))
    await checkSite(`${base}/chats/doctor-check/files/doctor-check`);
}

/**
 * Checks whether the Chat API serves customers, by a request that changes nothing and costs no chat. Resolves
 * with the remedy without secrets; undefined when it serves.
 */
export async function chatApiRemedy(config: Config): Promise<string | undefined> {
  // The BFF's own log lines about the Chat API contain the best remedies.
  const remedies: string[] = [];
  const log = createLog({
    level: "warn",
    secrets: secretsOf(config),
    destination: {
      write(line) {
        const { msg, reason, upstreamRequestId } = JSON.parse(line);
        const request = upstreamRequestId === undefined ? undefined : `Request ID: ${upstreamRequestId}`;
        remedies.push([reason, msg, request].filter((part) => part !== undefined).join("\n      "));
      },
    },
  });
  const bff = createBff({ ...config, redisUrl: undefined }, { log });
  const serves = await bff.readiness.check();
  await bff.stop();
  return serves ? undefined : (remedies.at(-1) ?? "It does not answer as it should.");
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

/** The response, or the code of the failure: a system error such as `ECONNREFUSED`, or an error's name. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<Response | string> {
  try {
    return await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(patience) });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string")
      return cause.code;
    return error instanceof Error ? error.name : "unknown";
  }
}

async function checkClock(address: string): Promise<void> {
  const response = await ask(address);
  if (typeof response === "string") return;
  await response.body?.cancel();
  const theirs = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return;
  const difference = Date.now() - theirs;
  const found = `It is ${Math.round(Math.abs(difference) / 1000)} s ${difference < 0 ? "behind" : "ahead"}. `;
  reportCheck("clock", Math.abs(difference) <= tolerableClockDifference, found);
}

/** A file without the header is refused as another site's (403), with it for lack of a session. */
async function checkSite(address: string): Promise<void> {
  const response = await ask(address, { "sec-fetch-site": "same-origin" });
  if (typeof response === "string") return;
  await response.body?.cancel();
  reportCheck("site", response.status !== 403);
}

/**
 * Reads the chat server's test stream at the address of the browsers, through every proxy on the way. True if
 * the chat server has answered.
 */
async function checkStream(address: string): Promise<boolean> {
  const response = await ask(address);
  if (typeof response === "string") {
    if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/.test(response))
      reportCheck("certificate", false, `(${response}) `);
    else if (response === "ENOTFOUND") reportCheck("host", false);
    else note(`${doesNotRun} (${response})`);
    return false;
  }
  const { status } = response;
  const isOurs =
    response.ok && response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if ([502, 503, 504].includes(status)) reportCheck("proxy", false, `It answers ${status}. `);
  else reportCheck("otherProgram", isOurs, `It answers ${status}. `);
  if (isOurs) reportCheck("stream", (await durationOf(response)) > streamPause / 2);
  else await response.body?.cancel();
  return isOurs;
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
