/**
 * The BFF's configuration from the environment (README, "Configuration"). The only file of `lib` that reads
 * `process.env`. Reports all problems at once, each with its remedy, and never repeats a value, because it
 * may be a secret.
 */
import { channelKeyPattern, chatKeyPattern } from "../../chat-api/patterns.ts";
import { decodedUri, parsedUrl } from "../../chat-api/text.ts";
import { loadOptional } from "./optional-package.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Problem {
  variable: string;
  /** The problem and its remedy, without the value. */
  remedy: string;
}

/** The configuration is unusable. The message lists every problem and is safe to print. */
export class ConfigurationError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ variable, remedy }) => `  ${variable}: ${remedy}`).join("\n"));
    this.name = "ConfigurationError";
    this.problems = problems;
  }
}

const secretLength = { min: 32, max: 512 };

const keys = {
  CHAT_CHANNEL_KEY: {
    pattern: channelKeyPattern,
    remedy: "Copy the channel's address: dep_ and at least 6 lower-case letters, digits, _ or -.",
    other: "the chat key (ck_): it belongs into CHAT_KEY",
    isOther: /^ck_/,
  },
  CHAT_KEY: {
    pattern: chatKeyPattern,
    remedy:
      "Copy the chat key from the agent's settings (Advanced, Chat key): it starts with ck_ and has no blanks.",
    other: "the channel's address (dep_): it belongs into CHAT_CHANNEL_KEY",
    isOther: /^dep_/,
  },
};

/** Collects problems, so that one start reports them all. */
export class Reader {
  readonly problems: Problem[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Trims a variable. An empty one counts as absent. Docker's env files and some panels keep quotes. */
  optional(variable: string): string | undefined {
    const value = this.#environment[variable]?.trim() || undefined;
    if (value === undefined || !quoted.test(value)) return value;
    this.problem(variable, "stands in quotes, which belong to the value here: remove them");
    return value.slice(1, -1).trim() || undefined;
  }

  /** An optional variable whose value must pass `fits`. */
  fitting(variable: string, fits: (value: string) => boolean, remedy: string): string | undefined {
    const value = this.optional(variable);
    if (value !== undefined && !fits(value)) this.problem(variable, remedy);
    return value;
  }

  /** A whole number in this range; `otherwise` if the variable is absent. */
  wholeNumber(variable: string, [min, max]: [number, number], otherwise: number, what: string): number {
    const fits = (value: string) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
    return Number(this.fitting(variable, fits, `must be ${what}, ${min} to ${max}`) ?? otherwise);
  }

  required(variable: string, remedy: string): string {
    const value = this.optional(variable);
    if (value === undefined) this.problem(variable, `is missing. ${remedy}`);
    return value ?? "";
  }

  /** One of the two keys. Their prefixes show when they have been exchanged. */
  key(variable: keyof typeof keys): string {
    const { pattern, remedy, other, isOther } = keys[variable];
    const value = this.required(variable, remedy);
    if (value !== "" && !pattern.test(value))
      this.problem(variable, isOther.test(value) ? `holds ${other}.` : `has the wrong form. ${remedy}`);
    return value;
  }

  problem(variable: string, remedy: string): void {
    if (!this.problems.some((known) => known.variable === variable && known.remedy === remedy))
      this.problems.push({ variable, remedy });
  }

  /** @throws ConfigurationError if there is a problem */
  throwProblems(): void {
    if (this.problems.length > 0) throw new ConfigurationError(this.problems);
  }
}

/** Typed quotes, and those that word processors make of them. */
const quoted = /^["'“„«‘].*["'”“»’]$/;

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** True for loopback hosts, to which plain http exposes nothing to the network. */
export function isLoopback(url: URL): boolean {
  return loopbackHosts.has(url.hostname) || url.hostname.endsWith(".localhost");
}

/** Undefined for anything but http and https, and for an address with a password. */
export function webAddress(value: string): URL | undefined {
  const url = parsedUrl(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? url
    : undefined;
}

interface AddressRule {
  fits(url: URL): boolean;
  /** The remedy for an address that does not fit. */
  form: string;
  /** The remedy for plain http, which is allowed on loopback only. */
  https: string;
}

/** Reports what is wrong with an http or https address. Null if it cannot be used. */
export function readAddress(read: Reader, variable: string, value: string, rule: AddressRule): URL | null {
  const hasScheme = value.includes("://");
  const url = webAddress(value);
  // A browser's address bar shows `shop.example` without its scheme.
  if (!hasScheme) read.problem(variable, "has no scheme: an address must begin with https:// (or http://)");
  else if (url === undefined || !rule.fits(url)) read.problem(variable, rule.form);
  else if (url.protocol === "http:" && !isLoopback(url)) read.problem(variable, rule.https);
  else return url;
  return null;
}

function readAppOrigin(read: Reader): string {
  const value = read.optional("APP_ORIGIN");
  if (value === undefined) {
    const isPort = (port: string) => /^\d{1,5}$/.test(port);
    return `http://localhost:${read.fitting("PORT", isPort, "must be a port number, such as 3000") ?? 3000}`;
  }
  const url = readAddress(read, "APP_ORIGIN", value, {
    fits: ({ origin, href }) => `${origin}/` === href,
    form: "must be an origin without a path, such as https://shop.example",
    https: "must be https: browsers drop the session's cookie on plain http, except on localhost",
  });
  return url?.origin ?? value;
}

function readBaseUrl(read: Reader): string {
  const value = read.required("CHAT_BASE_URL", "Set the Chat API's address.");
  if (value === "") return value;
  const url = readAddress(read, "CHAT_BASE_URL", value, {
    fits: ({ search, hash }) => search === "" && hash === "",
    form: "must be an address without user, query or fragment, such as https://api.example",
    https: "must be https: the chat key travels with every request",
  });
  if (/\/v1(\/|$)/.test(url?.pathname ?? ""))
    read.problem("CHAT_BASE_URL", "must end before /v1: the version and the channel are added by the BFF");
  return url?.href.replace(/\/+$/, "") ?? value;
}

function readSecrets(read: Reader): readonly [string, ...string[]] {
  const remedy =
    "Use at least 32 random characters (`openssl rand -base64 36`); while rotating, two with a comma, of which the first seals.";
  const value = read.required("SESSION_SECRET", remedy);
  const [first = "", ...others] = value.split(",").map((secret) => secret.trim());
  const fits = (secret: string) => secret.length >= secretLength.min && secret.length <= secretLength.max;
  if (value !== "" && (![first, ...others].every(fits) || others.length > 1)) {
    read.problem("SESSION_SECRET", `is too short, too long or more than two. ${remedy}`);
  }
  return [first, ...others];
}

function isRedisAddress(value: string): boolean {
  const url = parsedUrl(value);
  return (
    url !== null &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== "" &&
    decodedUri(url.password) !== undefined
  );
}

/** The package that an enabled feature needs, and that only some hosts install. */
function requirePackage(read: Reader, variable: string, name: Parameters<typeof loadOptional>[0]): void {
  if (read.optional(variable) !== undefined && loadOptional(name) === undefined)
    read.problem(variable, `needs a package: npm install ${name}`);
}

function readImageHosts(read: Reader): string[] {
  const hosts = (read.optional("IMAGE_HOSTS") ?? "").split(/[\s,]+/).filter((host) => host !== "");
  const origins = hosts.map(imageOrigin);
  if (origins.includes(undefined)) {
    read.problem("IMAGE_HOSTS", "must be host names such as cdn.shop.example, separated by commas");
  }
  return origins.filter((origin) => origin !== undefined);
}

function imageOrigin(host: string): string | undefined {
  const url = webAddress(host.includes("://") ? host : `https://${host}`);
  // A host with a semicolon or a blank could add a directive to the policy.
  const fits =
    url?.protocol === "https:" && `${url.origin}/` === url.href && /^[a-z0-9.-]+$/.test(url.hostname);
  return fits ? url.origin : undefined;
}

function readLogLevel(read: Reader): LogLevel {
  const find = (value = "info") => logLevels.find((name) => name === value);
  const isLevel = (value: string) => find(value) !== undefined;
  return find(read.fitting("LOG_LEVEL", isLevel, `must be one of ${logLevels.join(", ")}`)) ?? "info";
}

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** @throws ConfigurationError with every problem, a missing optional package included. */
export function readConfig(environment: Environment) {
  const read = new Reader(environment);
  const config = {
    /**
     * False under `next dev`, where the pages' Content Security Policy must allow Next's development runtime.
     */
    production: !isDevelopment(environment),
    /** `APP_ORIGIN`: the only origin whose pages may call the BFF, such as `https://shop.example`. */
    appOrigin: readAppOrigin(read),
    upstream: {
      /** `CHAT_BASE_URL`, without a trailing slash. */
      baseUrl: readBaseUrl(read),
      channelKey: read.key("CHAT_CHANNEL_KEY"),
      chatKey: read.key("CHAT_KEY"),
    },
    /** `SESSION_SECRET`: the first secret seals cookies; each of them unseals. */
    sessionSecrets: readSecrets(read),
    /** `REDIS_URL`: the Redis that holds the shared limits of several BFFs. */
    redisUrl: read.fitting(
      "REDIS_URL",
      isRedisAddress,
      "must be an address such as redis://localhost:6379; a % in its password is written %25",
    ),
    /** `TRUST_PROXY_HOPS`: how many trusted proxies append to `X-Forwarded-For`. 0 ignores the header. */
    trustProxyHops: read.wholeNumber("TRUST_PROXY_HOPS", [0, 10], 0, "the number of proxies in front"),
    /**
     * `MAX_STREAMS`: number of replies that this process streams at once. One address may have half of them.
     */
    maxStreams: read.wholeNumber("MAX_STREAMS", [1, 10_000], 200, "how many replies stream at once"),
    /** `MAX_CHATS_PER_DAY`: how many chats all customers together may start in a day. */
    maxChatsPerDay: read.wholeNumber(
      "MAX_CHATS_PER_DAY",
      [1, 10_000_000],
      5_000,
      "how many chats start in a day",
    ),
    /** `IMAGE_HOSTS`: origins that product pictures may come from, besides the shop's own. */
    imageHosts: readImageHosts(read),
    logLevel: readLogLevel(read),
    /** `METRICS_TOKEN`: bearer token of `/metrics` below the base path, which answers 404 without it. */
    metricsToken: read.fitting(
      "METRICS_TOKEN",
      (value) => /^[\x21-\x7e]{16,256}$/.test(value),
      "must be 16 to 256 printable characters (`openssl rand -hex 24`)",
    ),
    /** `CSP_REPORT_URL`: where browsers report violations of the pages' Content Security Policy. */
    cspReportUrl: read.fitting(
      "CSP_REPORT_URL",
      (value) => webAddress(value) !== undefined && !/[\s;,"]/.test(value),
      "must be an address that takes reports, such as https://reports.example/csp",
    ),
  };
  for (const variable of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])
    read.fitting(
      variable,
      (value) => webAddress(value) !== undefined,
      "must be the address of a collector, such as http://localhost:4318",
    );
  requirePackage(read, "REDIS_URL", "ioredis");
  requirePackage(read, "METRICS_TOKEN", "@prometheus-io/client");
  read.throwProblems();
  return config;
}

/** Words of documentation and examples, and fewer distinct characters than random ones have. */
function looksGuessable(secret: string): boolean {
  return (
    /change.?(me|this)|replace.?(me|this)|your.?secret|placeholder|example|password|insecure/i.test(secret) ||
    new Set(secret).size <= 10
  );
}

/** Warnings about settings that work but are probably a mistake, each with its remedy. */
export function configurationWarnings(config: Config): Problem[] {
  const warnings: Problem[] = [];
  const isLocal = (address: string) => isLoopback(new URL(address));
  if (config.production && isLocal(config.appOrigin) && !isLocal(config.upstream.baseUrl))
    warnings.push({
      variable: "APP_ORIGIN",
      remedy:
        "is localhost, as it is by default: only browsers on this machine can use the chat. Set the address that customers see.",
    });
  // This server speaks plain http, so an https origin needs a proxy in front of it.
  if (config.appOrigin.startsWith("https:") && config.trustProxyHops === 0)
    warnings.push({
      variable: "TRUST_PROXY_HOPS",
      remedy:
        "is 0 although APP_ORIGIN is https: all customers have the address of your proxy, and share one allowance. " +
        "Set the number of proxies in front.",
    });
  if (config.sessionSecrets.some(looksGuessable))
    warnings.push({
      variable: "SESSION_SECRET",
      remedy:
        "looks like a placeholder: anyone who guesses it can chat as any guest. Make one with `openssl rand -base64 36`.",
    });
  return warnings;
}

/** True while `next build` loads the route files without a configuration. */
export function isBuilding(environment: Environment = process.env): boolean {
  return environment["NEXT_PHASE"] === "phase-production-build";
}

/** True under `next dev`. */
export function isDevelopment(environment: Environment = process.env): boolean {
  return environment["NODE_ENV"] === "development";
}

/** Read once, because pages and proxy ask for each of their requests. */
let processConfig: Config | undefined;

/**
 * The configuration of this process. Given settings override its environment.
 * @throws ConfigurationError
 */
export function readProcessConfig(settings?: Environment): Config {
  if (settings !== undefined) return readConfig({ ...process.env, ...settings });
  processConfig ??= readConfig(process.env);
  return processConfig;
}
