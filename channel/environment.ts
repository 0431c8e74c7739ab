/** The channel's configuration, from environment variables (README, "Configuration"). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { channelKeyPattern, chatKeyPattern } from "#lib/chat-api/patterns.ts";
import type { AgentOptions } from "./agents/load-agent.ts";
import { StartError } from "./errors.ts";
import type { NoticeReceiver } from "./handoffs/outbox.ts";
import { killPointPattern } from "./kill-points.ts";
import { isLoopback } from "./loopback.ts";
import { root } from "./root.ts";

/**
 * Unusable environment variables. Names every problem with its remedy, but never a value, which could be a
 * secret.
 */
export class EnvironmentError extends StartError {
  override name = "EnvironmentError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The environment is not usable:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** "CHAT" on a telephone's keys. Other tools for developers leave it free. */
export const defaultPort = 2428;

/** The team key reads every chat, so a short, guessable one is refused. */
export const teamKeyPattern = /^tk_[A-Za-z0-9._~+/=-]{16,}$/;

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

type Rule = readonly [valid: RegExp | ((value: string) => boolean), remedy: string];

/** Where a key belongs, by its prefix. */
const keyVariables = { dep_: "CHAT_CHANNEL_KEY", ck_: "CHAT_KEY", tk_: "CHANNEL_TEAM_KEY" };

/** Formats of the variables whose values are checked. */
const rules = {
  CHANNEL_PORT: [(value) => isWholeNumber(value, 0, 65_535), "give a port, 0 to 65535"],
  CHANNEL_LAB: [/^(?:[01]|anywhere)$/, 'give "1" to turn the lab on, "anywhere" for callers elsewhere'],
  APP_ORIGIN: [isOrigin, "give the shop's address without a path, as https://shop.example"],
  CHANNEL_AGENT_PACE: [
    (value) => isWholeNumber(value, 0, 60_000),
    "give the milliseconds between two parts of a reply, 0 for none",
  ],
  CHANNEL_MODEL_URL: [
    (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
    "give the base address of an OpenAI-compatible endpoint, such as https://models.example/v1",
  ],
  CHANNEL_NOTICE_URL: [
    isPrivateAddress,
    "give the https address that receives handoff notices; http only on this machine",
  ],
  CHANNEL_NOTICE_SECRET: [isNoticeSecret, 'give "whsec_" and the base64 of 24 to 64 random bytes'],
  CHANNEL_DATABASE_URL: [
    (value) => !/^[a-z]+:\/\//i.test(value) || /^(postgres|postgresql|memory):\/\//.test(value),
    "give postgres://user:password@host/database, a folder, or memory://",
  ],
  CHANNEL_DATABASE_DIRECT_URL: [
    /^postgres(?:ql)?:\/\//,
    "give the postgres:// address of the server behind the pooler that CHANNEL_DATABASE_URL names",
  ],
  CHAT_CHANNEL_KEY: [channelKeyPattern, 'give "dep_" and 6 to 80 lower-case letters, digits, "_" or "-"'],
  CHAT_KEY: [chatKeyPattern, 'give "ck_" and letters or digits'],
  CHANNEL_TEAM_KEY: [teamKeyPattern, 'give "tk_" and at least 16 letters or digits'],
  CHANNEL_CONSOLE_TOKEN: [/^[A-Za-z0-9_-]{32,}$/, "give at least 32 letters or digits"],
  CHANNEL_AGENT: [
    (value) => ["sandbox", "none"].includes(value) || existsSync(value),
    "give sandbox, none, or the path of a module that exports createAgent",
  ],
  CHANNEL_SHOP_DIR: [(value) => existsSync(join(value, "team.json")), "give a folder that holds team.json"],
  CHANNEL_SEED: [existsSync, "give the path of a JSON file with chats"],
  LOG_LEVEL: [(value) => logLevels.includes(value), `give one of ${logLevels.join(", ")}`],
  CHANNEL_KILL_AT: [killPointPattern, "give a kill point and a count, as between-deltas:3"],
} satisfies Record<string, Rule>;

/** @throws EnvironmentError */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>) {
  const problems: string[] = [];
  /** The variable's value, trimmed; undefined if it is empty. */
  const variable = (name: string) => variables[name]?.trim() || undefined;
  const checked = (name: keyof typeof rules) => {
    const [valid, remedy]: Rule = rules[name];
    const value = variable(name);
    if (value === undefined) return undefined;
    const fits = valid instanceof RegExp ? valid.test(value) : valid(value);
    if (!fits) problems.push(`${name}: ${remedyFor(name, value) ?? remedy}`);
    return value;
  };

  const dataDir = variable("CHANNEL_DATA_DIR") ?? join(root, ".data");
  const host = variable("CHANNEL_HOST") ?? "127.0.0.1";
  const lab = checked("CHANNEL_LAB");
  if (lab === "1" && !isLoopback(host))
    problems.push(
      'CHANNEL_LAB: "1" is for this machine only; leave it out, or CHANNEL_HOST at 127.0.0.1, or give "anywhere"',
    );
  const pace = checked("CHANNEL_AGENT_PACE");
  const [modelUrl, modelName] = [checked("CHANNEL_MODEL_URL"), variable("CHANNEL_MODEL_NAME")];
  if ((modelUrl === undefined) !== (modelName === undefined))
    problems.push("CHANNEL_MODEL_URL, CHANNEL_MODEL_NAME: give both, or neither to use the shop's agent");
  const [noticeUrl, noticeSecret] = [checked("CHANNEL_NOTICE_URL"), checked("CHANNEL_NOTICE_SECRET")];
  if ((noticeUrl === undefined) !== (noticeSecret === undefined))
    problems.push(
      "CHANNEL_NOTICE_URL, CHANNEL_NOTICE_SECRET: give both, or neither to print handoff notices on standard output",
    );
  const agentOptions: AgentOptions = {
    shopOrigin: (checked("APP_ORIGIN") ?? "http://localhost:3000").replace(/\/$/, ""),
    // At the default pace, a reader sees the reply grow.
    agentPace: Number(pace ?? 45),
    model:
      modelUrl === undefined || modelName === undefined
        ? undefined
        : { url: modelUrl, name: modelName, key: variable("CHANNEL_MODEL_KEY") },
  };
  const noticeReceiver: NoticeReceiver | undefined =
    noticeUrl === undefined || noticeSecret === undefined
      ? undefined
      : { url: noticeUrl, secret: noticeSecret };
  const labMode: false | "here" | "anywhere" = lab === "1" ? "here" : lab === "anywhere" && lab;
  const environment = {
    ...agentOptions,
    host,
    port: Number(checked("CHANNEL_PORT") ?? defaultPort),
    /** `postgres://…`, a PGlite folder, or `memory://`. */
    databaseUrl: checked("CHANNEL_DATABASE_URL") ?? `${dataDir}/channel`,
    /** PostgreSQL itself, if `databaseUrl` is that of a pooler. */
    directDatabaseUrl: checked("CHANNEL_DATABASE_DIRECT_URL"),
    /** The folder for generated keys and, by default, PGlite's folder. */
    dataDir,
    channelKey: checked("CHAT_CHANNEL_KEY") ?? "dep_demo_shop",
    /** Undefined: generated at the first start. */
    chatKey: checked("CHAT_KEY"),
    teamKey: checked("CHANNEL_TEAM_KEY"),
    lab: labMode,
    /** The chats that a new channel begins with: a file that the lab exported. */
    seedFile: checked("CHANNEL_SEED"),
    /** The console's one-time token; undefined: one is generated on loopback. */
    consoleToken: checked("CHANNEL_CONSOLE_TOKEN"),
    /** The folder whose `team.json` names the teammates and their hours; undefined: any names, no hours. */
    shopDir: checked("CHANNEL_SHOP_DIR"),
    /** `sandbox`, `none`, or the module that creates the agent. */
    agent: checked("CHANNEL_AGENT") ?? "sandbox",
    /** Receives signed handoff notices. Undefined: they go to standard output. */
    noticeReceiver,
    logLevel: checked("LOG_LEVEL") ?? "info",
    /** `between-deltas:3`: the process kills itself at this point, at the third visit. Tests only. */
    killAt: checked("CHANNEL_KILL_AT"),
  };
  if (problems.length > 0) throw new EnvironmentError(problems);
  return environment;
}

/** The problem of a key that was given in place of another. */
function remedyFor(name: string, value: string): string | undefined {
  const isKey = Object.values(keyVariables).includes(name);
  const [prefix, variable] = Object.entries(keyVariables).find(([begin]) => value.startsWith(begin)) ?? [];
  if (!isKey || variable === undefined || variable === name) return undefined;
  return `this is another key (${prefix}…): it belongs in ${variable}`;
}

function isWholeNumber(value: string, min: number, max: number): boolean {
  return /^[0-9]+$/.test(value) && Number(value) >= min && Number(value) <= max;
}

/** Notices contain the customer's email address, so they need https, or a receiver on this machine. */
function isPrivateAddress(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return (
    url.protocol === "https:" ||
    (url.protocol === "http:" && isLoopback(url.hostname.replace(/^\[|\]$/g, "")))
  );
}

function isNoticeSecret(value: string): boolean {
  const bytes = Buffer.from(value.replace(/^whsec_/, ""), "base64");
  return value === `whsec_${bytes.toString("base64")}` && bytes.length >= 24 && bytes.length <= 64;
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === "";
}
