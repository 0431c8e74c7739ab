/** The checks of a configured shop: the Chat API, Redis, the clock, and the way from browsers to the chat. */

import {
  type Config,
  ConfigurationError,
  configurationWarnings,
  type Environment,
  readConfig,
} from "../lib/bff/configuration/env.ts";
import { requireOptional } from "../lib/bff/configuration/optional-package.ts";
import { requireNode } from "../lib/bff/configuration/runtime.ts";
import { createBff } from "../lib/bff/http/bff.ts";
import { createLog, secretsOf } from "../lib/bff/observability/log.ts";
import { streamPause } from "../lib/bff/routes/health.ts";
import { type Agent, readAgents } from "../lib/bff/sidecar/agents.ts";

/**
 * Findings of the doctor beside problems of the configuration: its line when a check passes, its line when it
 * fails, and the remedy. docs/troubleshooting.md lists them.
 */
interface Problem {
  passes: string;
  fails: string;
  remedy: string;
}

export const problems = {
  node: {
    passes: "Node is new enough",
    fails: "Node is older than 22.19",
    remedy: "Use Node 22.19 or later; 24 is several times cheaper to run.",
  },
  certificates: {
    passes: "Certificates are checked",
    fails: "NODE_TLS_REJECT_UNAUTHORIZED=0: this machine accepts every certificate",
    remedy:
      "Remove it: anyone on the way can read the chat key. For an authority of your own set NODE_EXTRA_CA_CERTS.",
  },
  started: {
    passes: "The demo has its keys",
    fails: "The demo has not been started yet",
    remedy: "Run `npm run dev` once, or set the three CHAT_ variables.",
  },
  redis: {
    passes: "Redis answers",
    fails: "Redis does not answer",
    remedy: "Check REDIS_URL. Without Redis each process counts its limits for itself.",
  },
  clock: {
    passes: "The clock agrees with the Chat API's",
    fails: "The clock differs from the Chat API's by more than a minute",
    remedy: "Synchronise it (`timedatectl set-ntp true`): sessions and signatures end too early or too late.",
  },
  certificate: {
    passes: "The certificate at APP_ORIGIN is trusted",
    fails: "The certificate at APP_ORIGIN is not trusted from here",
    remedy:
      "Browsers refuse it, too, unless they know its authority: install the whole chain, renew it, or name your authority in NODE_EXTRA_CA_CERTS.",
  },
  host: {
    passes: "APP_ORIGIN's host is known",
    fails: "This machine does not find the host of APP_ORIGIN",
    remedy: "Check its spelling and the DNS. Behind a proxy, run the doctor where the public name resolves.",
  },
  proxy: {
    passes: "The proxy reaches the shop",
    fails: "At APP_ORIGIN a proxy answers, and the shop behind it does not",
    remedy: "Start the shop, or correct the address to which the proxy passes requests.",
  },
  otherProgram: {
    passes: "The chat answers at APP_ORIGIN",
    fails: "At APP_ORIGIN another program answers for the chat",
    remedy: "Send /api/chat/ to this server, at the proxy or in the app's routes, or correct APP_ORIGIN.",
  },
  stream: {
    passes: "The proxy passes streams on at once",
    fails: "The pieces of a stream arrive together: a proxy buffers or compresses it",
    remedy:
      "Turn that off for /api/chat/ (nginx: `proxy_buffering off; gzip off;`), as docs/production.md does.",
  },
  site: {
    passes: "Sec-Fetch-Site reaches the chat",
    fails: "A proxy drops the header Sec-Fetch-Site",
    remedy: "Let it pass: without it browsers cannot open the chat's pictures and files.",
  },
} satisfies Record<string, Problem>;

/** A note, not a failure: the doctor may run before the shop does. */
const doesNotRun =
  "The shop does not answer at APP_ORIGIN from here. Once it runs, the doctor also checks whether streams pass.";

let failed = false;

/** Prints the result of one check, with its remedy if it failed. */
export function report(ok: boolean, what: string, remedy = ""): void {
  failed ||= !ok;
  console.log(`${ok ? "ok  " : "FAIL"}  ${what}${ok || remedy === "" ? "" : `\n      ${remedy}`}`);
}

export function note(what: string): void {
  console.log(`note  ${what}`);
}

/** @param found What the check found beside the problem, as a sentence. */
export function reportCheck(name: keyof typeof problems, ok: boolean, found = ""): void {
  const { passes, fails, remedy }: Problem = problems[name];
  report(ok, ok ? passes : fails, `${found}${remedy}`);
}

export const exitCode = () => (failed ? 1 : 0);

/** Milliseconds. */
const patience = 5_000;
const tolerableClockDifference = 60_000;

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
  await checkClock(baseUrl);
  if (config.redisUrl !== undefined) await checkRedis(config.redisUrl);
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
