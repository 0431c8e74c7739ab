/** The options of `shop-chat-channel`. Each sets a variable of the environment (`environment.ts`). */
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { defaultPort, readEnvironment } from "./environment.ts";
import { StartError } from "./errors.ts";
import { consoleAddress, startToken } from "./loopback.ts";
import type { Ready } from "./run.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** `variable`: the variable of the environment that the option sets. */
const options = {
  port: { type: "string", variable: "CHANNEL_PORT" },
  host: { type: "string", variable: "CHANNEL_HOST" },
  data: { type: "string", variable: "CHANNEL_DATA_DIR" },
  database: { type: "string", variable: "CHANNEL_DATABASE_URL" },
  agent: { type: "string", variable: "CHANNEL_AGENT" },
  pace: { type: "string", variable: "CHANNEL_AGENT_PACE" },
  shop: { type: "string", variable: "CHANNEL_SHOP_DIR" },
  lab: { type: "string", variable: "CHANNEL_LAB" },
  seed: { type: "string", variable: "CHANNEL_SEED" },
  console: { type: "string" },
  wait: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const variableOf = (option: object) => ("variable" in option ? String(option.variable) : undefined);

const help = `shop-chat-channel: the Chat API on this machine

  --port ${defaultPort}              where it listens; 0 for any free port
  --host 127.0.0.1
  --data .data             the folder for keys and, by default, the database
  --database URL           postgres://…, a folder for PGlite, or memory://
  --agent sandbox          sandbox, none (the lab scripts every reply), or a module that exports createAgent
  --pace 45                milliseconds between two words of a streamed reply; in your tests: --pace 0
  --shop FOLDER            a folder whose team.json names the team and its hours
  --lab                    clock, faults, limits, scripts, reset; --lab=anywhere in a container
  --seed FILE              chats to begin with, as GET /lab/chats exports them
  --json                   one line of JSON for each event, for programs
  --console URL            starts nothing else: the console of the channel at URL, whose key is in CHANNEL_TEAM_KEY
  --wait                   starts nothing: ends once a channel at --host and --port is ready

shop-chat-channel verify tests a Chat API against the rules of its specification: verify --help.

Variables of the environment do the same: CHAT_CHANNEL_KEY, CHAT_KEY and CHANNEL_TEAM_KEY give the keys.
`;

/** How long `--wait` waits, in milliseconds. */
const waitTime = 60_000;

export async function command(args: readonly string[], environment: Variables): Promise<void> {
  try {
    // `--lab=anywhere` has a value, `--lab` has none.
    const values = parse(args.map((arg) => (arg === "--lab" ? "--lab=1" : arg)));
    if (values.help === true) return void process.stdout.write(help);
    const variables = withOptions(values, environment);
    if (values.wait === true) return await untilReady(variables);
    if (values.console !== undefined) return await startConsole(values.console, variables);
    enableCompileCache();
    const { run } = await import("./run.ts");
    await run(variables, values.json === true ? undefined : sayReady);
  } catch (error) {
    const { explainFailure } = await import("./run.ts");
    process.stderr.write(`The channel cannot start. ${withOptionNames(explainFailure(error))}\n`);
    process.exit(1);
  }
}

/** @throws StartError that names an option which does not exist */
function parse(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`${reason}. See --help.`, { cause });
  }
}

/** Messages name variables. Who gave options reads those, too. */
function withOptionNames(message: string): string {
  return message.replaceAll(/CHANNEL_[A-Z_]+/g, (name) => {
    const [option] = Object.entries(options).find(([, settings]) => variableOf(settings) === name) ?? [];
    return option === undefined ? name : `${name} (--${option})`;
  });
}

type Values = { [Name in keyof typeof options]?: string | boolean };

function withOptions(values: Values, environment: Variables): Variables {
  const given = Object.entries(values).flatMap(([name, value]) => {
    const variable = variableOf(options[name as keyof Values]);
    return variable === undefined || typeof value === "boolean" ? [] : [[variable, value] as const];
  });
  const variables: Variables = { ...environment, ...Object.fromEntries(given) };
  return {
    ...variables,
    CHANNEL_DATA_DIR: resolve(variables["CHANNEL_DATA_DIR"] ?? ".data"),
    // People read what is wrong; the console shows them the requests.
    ...(values.json === true ? {} : { LOG_LEVEL: environment["LOG_LEVEL"] ?? "warn" }),
  };
}

function sayReady(ready: Ready): void {
  const key = ready.chatKeyFile === undefined ? "in CHAT_KEY" : `in ${ready.chatKeyFile}`;
  process.stdout.write(`
  The Chat API listens on ${ready.url}

  channel key   ${ready.channelKey}
  chat key      ${key}
  team key      ${ready.teamKeyFile === undefined ? "in CHANNEL_TEAM_KEY" : `in ${ready.teamKeyFile}`}
  reference     ${ready.url}/docs
  console       ${ready.console}
  lab           ${ready.lab === false ? "off (--lab)" : "on"}

`);
}

async function startConsole(channelUrl: string, variables: Variables): Promise<void> {
  const { CHANNEL_HOST, CHANNEL_PORT = "0", CHANNEL_TEAM_KEY, CHANNEL_CONSOLE_TOKEN } = variables;
  const given = { CHANNEL_HOST, CHANNEL_PORT, CHANNEL_TEAM_KEY, CHANNEL_CONSOLE_TOKEN };
  const { host, port, teamKey, consoleToken } = readEnvironment(given);
  if (!/^https?:$/.test(URL.parse(channelUrl)?.protocol ?? ""))
    throw new StartError("--console: give the channel's address, such as http://127.0.0.1:2428.");
  if (teamKey === undefined)
    throw new StartError("CHANNEL_TEAM_KEY is not set: give the team key of the channel.");
  const token = startToken(host, consoleToken);
  const { serveConsole } = await import("./console/console.ts");
  const served = await serveConsole({ channelUrl, teamKey, host, port, token });
  const address = consoleAddress(`http://${host}:${served.port}`, token);
  process.stdout.write(`\n  The console of ${channelUrl}\n  ${address}\n\n`);
}

async function untilReady(variables: Variables): Promise<void> {
  const { CHANNEL_HOST: host = "127.0.0.1", CHANNEL_PORT: port = String(defaultPort) } = variables;
  const url = `http://${host}:${port}/healthz`;
  const deadline = performance.now() + waitTime;
  while (performance.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return;
    await pause(50);
  }
  process.stderr.write(`No channel is ready at ${url} after ${waitTime / 1000} s.\n`);
  process.exit(1);
}
