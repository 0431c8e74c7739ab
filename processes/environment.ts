/** Shared by the scripts: settings, generated secrets, and the environments of the shop and the channel. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { defaultPort } from "../channel/environment.ts";
import { StartError } from "../channel/errors.ts";
import { isLoopback } from "../channel/loopback.ts";
import { loadOrCreateKey, readKey } from "../channel/stored-key.ts";
import { bffLimits } from "../lib/bff/configuration/limits.ts";
import { root } from "./root.ts";
import { readSettings, SettingsFileError } from "./settings-file.ts";

/** The developer's settings file. Tests ignore it, because it may name a live channel. */
export function settingsFile(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env["NODE_ENV"] === "test" ? undefined : join(root, ".env.local");
}

/**
 * Adds the variables of `.env.local` to `process.env`, whose own values take precedence, and returns it.
 * @throws SettingsFileError
 */
export function loadSettings(file = settingsFile()): NodeJS.ProcessEnv {
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  for (const [name, value] of Object.entries(readSettings(file))) process.env[name] ??= value;
  if (authorities === undefined) trustAuthorities(process.env["NODE_EXTRA_CA_CERTS"]);
  return process.env;
}

/** The same for a program that ends with the remedy on its console. */
export function settingsOrExit(): NodeJS.ProcessEnv {
  try {
    return loadSettings();
  } catch (error) {
    return exitWithRemedy(error);
  }
}

/** Reports what cannot be read: settings and the data folder. */
export function exitWithRemedy(error: unknown): never {
  if (!(error instanceof SettingsFileError || error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** Node reads `NODE_EXTRA_CA_CERTS` only at start, before `.env.local` is loaded. */
function trustAuthorities(file: string | undefined): void {
  if (!file) return;
  if (existsSync(file)) setDefaultCACertificates([...getCACertificates(), readFileSync(file, "utf8")]);
  else console.error(`NODE_EXTRA_CA_CERTS names a file that does not exist: ${file}`);
}

export function dataDir(env: NodeJS.ProcessEnv): string {
  return env["CHANNEL_DATA_DIR"] ?? join(root, ".data");
}

/** True without a live channel, when the launchers start the embedded one. */
export function wantsEmbeddedChannel(env: NodeJS.ProcessEnv): boolean {
  return (env["CHAT_BASE_URL"] ?? "") === "";
}

/** A warning when keys are set without an address, so that the embedded channel uses them. */
export function strayKeys(env: NodeJS.ProcessEnv): string | undefined {
  const names = ["CHAT_CHANNEL_KEY", "CHAT_KEY"].filter((name) => (env[name] ?? "") !== "");
  if (!wantsEmbeddedChannel(env) || names.length === 0) return undefined;
  return `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} set and CHAT_BASE_URL is not: this is the demo's own channel. For yours, set CHAT_BASE_URL to the Chat API's address.`;
}

export interface Addresses {
  /** The shop's address for browsers. */
  shop: string;
  /** The shop's address for this machine. */
  local: string;
  channel: string;
  /** Where the shop listens. */
  host: string;
  port: string;
  /** Where the embedded channel listens. */
  channelListens: { host: string; port: string };
}

export function addresses(env: NodeJS.ProcessEnv): Addresses {
  const port = env["PORT"] || "3000";
  const host = env["HOST"] || "127.0.0.1";
  const channelHost = env["CHANNEL_HOST"] || "127.0.0.1";
  const channelPort = env["CHANNEL_PORT"] || String(defaultPort);
  return {
    shop: env["APP_ORIGIN"] || `http://localhost:${port}`,
    local: httpAddress(host, port),
    channel: httpAddress(channelHost, channelPort),
    host,
    port,
    channelListens: { host: channelHost, port: channelPort },
  };
}

/** Replaces a wildcard host with the loopback address. */
const ownAddress = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

function httpAddress(host: string, port: string): string {
  const name = ownAddress.get(host) ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** The demo's agent, or the sandbox agent when the folder `agent/` was removed. */
export function agentIn(folder: string): string {
  const file = join(folder, "agent", "create-agent.ts");
  return existsSync(file) ? file : "sandbox";
}

/** The demo's agent, and the shop that it and the team belong to. */
export const demoChannel = {
  CHANNEL_AGENT: agentIn(root),
  CHANNEL_SHOP_DIR: join(root, "lib", "shop"),
};

/** True if only browsers of this machine use the demo, so that its pages may break the channel on purpose. */
function isForThisMachine(env: NodeJS.ProcessEnv): boolean {
  const { shop, host, channelListens } = addresses(env);
  return [host, channelListens.host, URL.parse(shop)?.hostname ?? ""].every(isLoopback);
}

/** The embedded channel's environment. */
export function channelEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...env,
    CHANNEL_LAB: env["CHANNEL_LAB"] || (isForThisMachine(env) ? "1" : "0"),
    CHANNEL_AGENT: env["CHANNEL_AGENT"] || demoChannel.CHANNEL_AGENT,
    CHANNEL_SHOP_DIR: env["CHANNEL_SHOP_DIR"] || demoChannel.CHANNEL_SHOP_DIR,
    CHANNEL_DATA_DIR: dataDir(env),
    APP_ORIGIN: addresses(env).shop,
  };
}

/** The configured session secret, or one generated for this machine. */
async function withSessionSecret(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  return {
    ...env,
    SESSION_SECRET: env["SESSION_SECRET"] || (await loadOrCreateKey(dataDir(env), "session-secret", "")),
  };
}

/**
 * The shop's environment. With an embedded channel it contains that channel's three CHAT_ variables, a
 * generated session secret and, on this machine alone, the key of the channel's lab
 * (`lib/shop/server/plug.ts`). With a live channel it adds a session secret for `dev` alone.
 */
export async function shopEnvironment(
  command: "dev" | "start",
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  if (!wantsEmbeddedChannel(env)) return command === "dev" ? withSessionSecret(env) : env;
  return withSessionSecret({
    ...env,
    CHAT_BASE_URL: addresses(env).channel,
    CHAT_CHANNEL_KEY: env["CHAT_CHANNEL_KEY"] || "dep_demo_shop",
    CHAT_KEY: env["CHAT_KEY"] || readKey(dataDir(env), "chat-key"),
    ...(channelEnvironment(env)["CHANNEL_LAB"] === "1" && { DEMO_LAB_KEY: teamKey(env) }),
  });
}

/** False before the demo's first start, which generates missing secrets. */
export function demoWasStarted(env: NodeJS.ProcessEnv): boolean {
  const made = (name: string) => existsSync(join(dataDir(env), name));
  return (
    ((env["CHAT_KEY"] ?? "") !== "" || made("chat-key")) &&
    ((env["SESSION_SECRET"] ?? "") !== "" || made("session-secret"))
  );
}

/** True unless the demo's automatic teammate is turned off. */
export function wantsTeammate(env: NodeJS.ProcessEnv): boolean {
  return env["CHANNEL_AUTO_TEAMMATE"] !== "0";
}

/** The embedded channel's team key, once it has started. */
export function teamKey(env: NodeJS.ProcessEnv): string {
  return env["CHANNEL_TEAM_KEY"] || readKey(dataDir(env), "team-key");
}

/** Node's arguments for Next in development, or with the production build. */
export function nextArguments(
  command: "dev" | "start",
  { host = "127.0.0.1", port }: { host?: string; port: number | string },
): string[] {
  const next = join("node_modules", "next", "dist", "bin", "next");
  const start = [next, command, "--hostname", host, "--port", String(port)];
  return command === "dev" ? start : [...start, "--keepAliveTimeout", String(bffLimits.keepAliveTime)];
}
