/** The agents that `npx shop-chat serve` serves: one, or those of the file that `CHAT_AGENTS` names. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { basePathPattern } from "../chat-server/chat-server.ts";
import { type Environment, Reader } from "../configuration/env.ts";
import { customerVariables } from "./customer-settings.ts";

export interface Agent {
  basePath: string;
  /** The program's environment, with the agent's own variables. */
  environment: Environment;
}

const variable = "CHAT_AGENTS";
const keys = ["CHAT_CHANNEL_KEY", "CHAT_KEY"];
/** Only by the name of a variable: the file may be in version control. */
const secrets = ["CHAT_KEY", "SESSION_SECRET", "CUSTOMER_JWT_SECRET", "METRICS_TOKEN"];
const limits = ["MAX_STREAMS", "MAX_CHATS_PER_DAY"];
const known = [
  ...new Set(["CHAT_BASE_URL", ...keys, ...secrets, ...limits, "IMAGE_HOSTS", ...customerVariables]),
];

/** Each agent's variables, by its base path. A value `env:NAME` is that of the variable NAME. */
const Agents = z.record(z.string(), z.record(z.string(), z.string()));

/** @throws ConfigurationError */
export function readAgents(environment: Environment): Agent[] {
  const read = new Reader(environment);
  const file = read.optional(variable);
  read.throwProblems();
  if (file === undefined) return [{ basePath: defaultBasePath, environment }];
  const agents = Object.entries(readFile(read, file)).map(([basePath, settings]) => ({
    basePath,
    environment: { ...environment, ...readSettings(read, `${file}, ${basePath}`, settings, environment) },
  }));
  const paths = agents.map(({ basePath }) => basePath);
  if (paths.length === 0) read.problem(file, "names no agent");
  for (const path of paths) {
    const outer = paths.find((other) => path.startsWith(`${other}/`));
    if (!basePathPattern.test(path))
      read.problem(
        `${file}, ${path}`,
        `must be a path such as ${defaultBasePath}, without a slash at its end`,
      );
    if (outer !== undefined) read.problem(`${file}, ${path}`, `lies below ${outer}: choose another path`);
  }
  read.throwProblems();
  return agents;
}

function readFile(read: Reader, file: string): z.output<typeof Agents> {
  try {
    return Agents.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const isThere = !(error instanceof Error && "code" in error);
    read.problem(
      variable,
      isThere
        ? `names ${file}, which must be JSON: for each base path an object of variables and their texts`
        : `names ${file}, which cannot be read`,
    );
    read.throwProblems();
    throw error;
  }
}

function readSettings(
  read: Reader,
  place: string,
  settings: Record<string, string>,
  environment: Environment,
): Environment {
  // Otherwise the agent would answer with the keys of the program's own environment.
  for (const name of keys) if (settings[name] === undefined) read.problem(`${place}, ${name}`, "is missing");
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const reference = /^env:(\w+)$/.exec(value)?.[1];
      if (!known.includes(name)) read.problem(`${place}, ${name}`, `must be one of ${known.join(", ")}`);
      else if (reference === undefined && secrets.includes(name))
        read.problem(`${place}, ${name}`, 'is secret: name a variable of the environment, as "env:NAME"');
      else if (reference !== undefined && !environment[reference])
        read.problem(`${place}, ${name}`, `names the variable ${reference}, which is not set`);
      return [name, reference === undefined ? value : environment[reference]];
    }),
  );
}
