/** The channel's configuration, from environment variables (README, "Configuration"). */
import { channelKeyPattern, chatKeyPattern } from "#lib/chat-api/patterns.ts";
import type { ModelEndpoint } from "./agents/model-agent.ts";
import { isLoopback } from "./loopback.ts";

export interface ChannelEnvironment {
  host: string;
  port: number;
  /** `postgres://…`, a folder for PGlite, or `memory://`. */
  databaseUrl: string;
  /** Where keys that are made at first start are kept, and PGlite's folder by default. */
  dataDir: string;
  channelKey: string;
  /** Absent: made at first start. */
  chatKey: string | undefined;
  teamKey: string | undefined;
  lab: boolean;
  /** A teammate of a demonstration, who claims chats that nobody does. */
  autoTeammate: boolean;
  shopDir: string;
  shopOrigin: string;
  /** Milliseconds between two deltas of the shop's agent; undefined for a human pace. */
  agentPace: number | undefined;
  /** A language model that answers in place of the shop's agent, behind an OpenAI-compatible endpoint; off when undefined. */
  model: ModelEndpoint | undefined;
  logLevel: string;
  /** `K4:3`: the process ends itself when it comes by K4 for the third time. Tests only. */
  killAt: string | undefined;
}

/** The environment cannot be used. Names every fault with its remedy, and no value: it could be a secret. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The environment is not usable:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

export const teamKeyPattern = /^tk_[A-Za-z0-9._~+/=-]+$/;

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** @throws EnvironmentError */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): ChannelEnvironment {
  const faults: string[] = [];
  /** Trimmed; empty means absent. */
  const given = (name: string) => variables[name]?.trim() || undefined;
  const checked = (name: string, isValid: (value: string) => boolean, remedy: string) => {
    const value = given(name);
    if (value !== undefined && !isValid(value)) faults.push(`${name}: ${remedy}`);
    return value;
  };

  const dataDir = given("CHANNEL_DATA_DIR") ?? ".data";
  const port = checked("CHANNEL_PORT", (value) => isWholeNumber(value, 0, 65_535), "give a port, 0 to 65535");
  const host = given("CHANNEL_HOST") ?? "127.0.0.1";
  const lab = checked(
    "CHANNEL_LAB",
    (value) => value === "0" || value === "1",
    'give "1" to turn the lab on',
  );
  if (lab === "1" && !isLoopback(host))
    faults.push("CHANNEL_LAB: the lab is for this machine only; leave it out, or CHANNEL_HOST at 127.0.0.1");
  const shopPort = checked("PORT", (value) => isWholeNumber(value, 0, 65_535), "give a port, 0 to 65535");
  const originVariable = given("CHANNEL_SHOP_ORIGIN") === undefined ? "APP_ORIGIN" : "CHANNEL_SHOP_ORIGIN";
  const shopOrigin = checked(
    originVariable,
    isOrigin,
    "give the shop's address without a path, as https://shop.example",
  );
  const pace = checked(
    "CHANNEL_AGENT_PACE",
    (value) => isWholeNumber(value, 0, 60_000),
    "give the milliseconds between two parts of an answer, 0 for none",
  );
  const modelUrl = checked(
    "CHANNEL_MODEL_URL",
    (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
    "give the base address of an OpenAI-compatible endpoint, as https://models.example/v1",
  );
  const modelName = given("CHANNEL_MODEL_NAME");
  if ((modelUrl === undefined) !== (modelName === undefined))
    faults.push(
      "CHANNEL_MODEL_URL, CHANNEL_MODEL_NAME: give both, or none to be answered by the shop's agent",
    );
  const environment: ChannelEnvironment = {
    host,
    port: Number(port ?? 4010),
    databaseUrl:
      checked(
        "CHANNEL_DATABASE_URL",
        (value) => !/^[a-z]+:\/\//i.test(value) || /^(postgres|postgresql|memory):\/\//.test(value),
        "give postgres://user:password@host/database, a folder, or memory://",
      ) ?? `${dataDir}/channel`,
    dataDir,
    channelKey:
      checked(
        "CHAT_CHANNEL_KEY",
        (value) => channelKeyPattern.test(value),
        'give "dep_" and 6 to 80 lower-case letters, digits, "_" or "-"',
      ) ?? "dep_demo_shop",
    chatKey: checked("CHAT_KEY", (value) => chatKeyPattern.test(value), 'give "ck_" and letters or digits'),
    teamKey: checked(
      "CHANNEL_TEAM_KEY",
      (value) => teamKeyPattern.test(value),
      'give "tk_" and letters or digits',
    ),
    lab: lab === "1",
    autoTeammate:
      checked(
        "CHANNEL_AUTO_TEAMMATE",
        (value) => value === "0" || value === "1",
        'give "1" for an automatic teammate',
      ) === "1",
    shopDir: given("CHANNEL_SHOP_DIR") ?? "lib/shop",
    shopOrigin: (shopOrigin ?? `http://localhost:${shopPort ?? 3000}`).replace(/\/$/, ""),
    agentPace: pace === undefined ? undefined : Number(pace),
    model:
      modelUrl === undefined || modelName === undefined
        ? undefined
        : { url: modelUrl, name: modelName, key: given("CHANNEL_MODEL_KEY") },
    logLevel:
      checked("LOG_LEVEL", (value) => logLevels.includes(value), `give one of ${logLevels.join(", ")}`) ??
      "info",
    killAt: checked(
      "CHANNEL_KILL_AT",
      (value) => /^K(?:[1-9]|1[0-2])(?::[1-9][0-9]*)?$/.test(value),
      "give a kill point and a count, as K4:3",
    ),
  };
  if (faults.length > 0) throw new EnvironmentError(faults);
  return environment;
}

function isWholeNumber(value: string, min: number, max: number): boolean {
  return /^[0-9]+$/.test(value) && Number(value) >= min && Number(value) <= max;
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === "";
}
