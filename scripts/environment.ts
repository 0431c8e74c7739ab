/** What the launchers (dev, start, test) share: settings, secrets made at first start, the two programs. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { parseEnv } from "node:util";

export const root = join(import.meta.dirname, "..");

/** Where a developer's settings are. Tests are the same for everyone, and the file may name a live channel. */
export function settingsFile(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env["NODE_ENV"] === "test" ? undefined : join(root, ".env.local");
}

function readSettings(file: string | undefined): NodeJS.Dict<string> {
  if (file === undefined || !existsSync(file)) return {};
  // Some editors write a byte order mark, which would be the first letter of the first variable's name.
  return parseEnv(readFileSync(file, "utf8").replace(/^\ufeff/, ""));
}

/** A value given in the environment beats `.env.local`, which beats the default. */
export function loadSettings(file = settingsFile()): NodeJS.ProcessEnv {
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  for (const [name, value] of Object.entries(readSettings(file))) process.env[name] ??= value;
  if (authorities === undefined) trustAuthorities(process.env["NODE_EXTRA_CA_CERTS"]);
  return process.env;
}

/** Node reads this variable when it starts, before the file: this process would not trust what its children do. */
function trustAuthorities(file: string | undefined): void {
  if (!file) return;
  if (existsSync(file)) setDefaultCACertificates([...getCACertificates(), readFileSync(file, "utf8")]);
  else console.error(`NODE_EXTRA_CA_CERTS names a file that does not exist: ${file}`);
}

/** What Next's server reads by itself, whichever way it is started. */
const nextFiles = ["", ".local", ".production", ".production.local", ".development", ".development.local"];

/** The environment for a program that must not see them: a variable that is there, be it empty, beats the files. */
export function hideSettingsFiles(env: NodeJS.ProcessEnv, folder = root): NodeJS.ProcessEnv {
  const named = nextFiles.flatMap((suffix) => Object.keys(readSettings(join(folder, `.env${suffix}`))));
  return { ...Object.fromEntries(named.map((name) => [name, ""])), ...env };
}

export function dataDir(env: NodeJS.ProcessEnv): string {
  return env["CHANNEL_DATA_DIR"] ?? join(root, ".data");
}

/** A secret kept in the data folder, made at first use, readable by this user only. */
function keptSecret(dir: string, name: string, make: () => string): string {
  const file = join(dir, name);
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const secret = make();
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}

/** True when no live channel is named: the launchers then start the embedded one. */
export function wantsEmbeddedChannel(env: NodeJS.ProcessEnv): boolean {
  return (env["CHAT_BASE_URL"] ?? "") === "";
}

/** Says that keys of a channel were given, but not its address, so that the embedded channel runs under them. */
export function strayKeys(env: NodeJS.ProcessEnv): string | undefined {
  const given = ["CHAT_CHANNEL_KEY", "CHAT_KEY"].filter((name) => (env[name] ?? "") !== "");
  if (!wantsEmbeddedChannel(env) || given.length === 0) return undefined;
  return `${given.join(" and ")} ${given.length === 1 ? "is" : "are"} set and CHAT_BASE_URL is not: this is the demo's own channel. For yours, set CHAT_BASE_URL to the Chat API's address.`;
}

export interface Addresses {
  /** As browsers name it. */
  shop: string;
  /** Where the shop's server answers to this machine. */
  local: string;
  channel: string;
  host: string;
  port: string;
}

export function addresses(env: NodeJS.ProcessEnv): Addresses {
  const port = env["PORT"] || "3000";
  const host = env["HOST"] || "127.0.0.1";
  const channelHost = env["CHANNEL_HOST"] || "127.0.0.1";
  const channelPort = env["CHANNEL_PORT"] || "4010";
  return {
    shop: env["APP_ORIGIN"] || `http://localhost:${port}`,
    local: httpAddress(host, port),
    channel: httpAddress(channelHost, channelPort),
    host,
    port,
  };
}

/** A host that stands for every address of the machine is asked at the machine's own. */
const ownAddress = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

function httpAddress(host: string, port: string): string {
  const name = ownAddress.get(host) ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** The environment of the embedded channel's process. */
export function channelEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    CHANNEL_AUTO_TEAMMATE: "1",
    ...env,
    CHANNEL_DATA_DIR: dataDir(env),
    APP_ORIGIN: addresses(env).shop,
  };
}

/** A session secret of this machine's own, where none is given. */
function withSessionSecret(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const make = () => randomBytes(32).toString("base64url");
  return {
    ...env,
    SESSION_SECRET: env["SESSION_SECRET"] || keptSecret(dataDir(env), "session-secret", make),
  };
}

/**
 * The environment of the shop. Beside an embedded channel that has started: the three CHAT_ variables of that channel
 * and a session secret of this demo's own. In front of a live one as it is given, but that `dev` needs no secret.
 */
export function shopEnvironment(command: "dev" | "start", env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { shop, channel } = addresses(env);
  const common = { ...env, APP_ORIGIN: shop };
  if (!wantsEmbeddedChannel(env)) return command === "dev" ? withSessionSecret(common) : common;
  return withSessionSecret({
    ...common,
    CHAT_BASE_URL: channel,
    CHAT_CHANNEL_KEY: env["CHAT_CHANNEL_KEY"] || "dep_demo_shop",
    CHAT_KEY: env["CHAT_KEY"] || readFileSync(join(dataDir(env), "chat-key"), "utf8").trim(),
  });
}

/** False before the demo's first start, which makes the secrets that are not given. */
export function demoWasStarted(env: NodeJS.ProcessEnv): boolean {
  const made = (name: string) => existsSync(join(dataDir(env), name));
  return (
    ((env["CHAT_KEY"] ?? "") !== "" || made("chat-key")) &&
    ((env["SESSION_SECRET"] ?? "") !== "" || made("session-secret"))
  );
}

export class Program {
  readonly name: string;
  readonly child: ChildProcess;
  readonly exited: Promise<number>;

  constructor(
    name: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    stdio: "inherit" | "ignore" = "inherit",
  ) {
    this.name = name;
    this.child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", stdio, "inherit"] });
    this.exited = new Promise((resolve) => {
      this.child.once("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
      this.child.once("error", () => resolve(1));
    });
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined;
  }

  async stop(graceMilliseconds = 15_000): Promise<void> {
    if (!this.running) return;
    this.child.kill("SIGTERM");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), graceMilliseconds);
    await this.exited;
    clearTimeout(timer);
  }

  /** Resolves when `url` answers 2xx or 3xx; rejects when the program ends first or does not answer in time. */
  async untilReady(url: string, withinMilliseconds = 60_000): Promise<void> {
    const deadline = Date.now() + withinMilliseconds;
    while (Date.now() < deadline) {
      if (!this.running) throw new Error(`${this.name} ended before it was ready (see its output above).`);
      const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(20_000) }).catch(
        (error: unknown) => error,
      );
      if (answer instanceof Response && answer.status < 400) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${this.name} did not answer at ${url} within ${withinMilliseconds / 1000} s.`);
  }
}

export function startChannel(env: NodeJS.ProcessEnv): Program {
  return new Program(
    "The channel",
    ["channel/main.ts"],
    channelEnvironment(env),
    env["CHANNEL_LOG"] === "1" ? "inherit" : "ignore",
  );
}

/** Longer than proxies keep their idle connections (nginx: a minute): they would meet some that were just closed. Milliseconds. */
export const keepAliveTimeout = 75_000;

export function nextArguments(command: "dev" | "start", env: NodeJS.ProcessEnv): string[] {
  const { host, port } = addresses(env);
  const next = join("node_modules", "next", "dist", "bin", "next");
  const keepAlive = command === "start" ? ["--keepAliveTimeout", String(keepAliveTimeout)] : [];
  return [next, command, "--hostname", host, "--port", port, ...keepAlive];
}
