/** `npx shop-chat serve`: the chat server as a program beside a host in any language. */
import { type ChatServer, createChatServer } from "../chat-server/chat-server.ts";
import { ConfigurationError, type Environment, Reader, readConfig } from "../configuration/env.ts";
import { requireNode } from "../configuration/runtime.ts";
import { serveAlone } from "../node/program.ts";
import { type Agent, readAgents } from "./agents.ts";
import { customerOfEnvironment } from "./customer-settings.ts";

const defaultAddress = { host: "127.0.0.1", port: "2429" };

/** Serves until a signal. Prints every problem of the environment and exits if there is one. */
export async function serve(environment: Environment): Promise<void> {
  const chats = requireSettings(environment).map(({ basePath, environment: configuration, customerOf }) =>
    createChatServer({ basePath, configuration, ...(customerOf && { customerOf }) }),
  );
  const port = environment["PORT"] || defaultAddress.port;
  await serveAlone(asOne(chats), { host: environment["HOST"] || defaultAddress.host, port });
}

/** Chat servers at one address. The first one answers requests outside of all. */
function asOne(chats: readonly ChatServer[]): ChatServer {
  const [first] = chats;
  if (first === undefined) throw new Error("There is no agent");
  return {
    basePath: first.basePath,
    handle(request, context) {
      const { pathname } = new URL(request.url);
      const asked = chats.find(({ basePath }) => pathname.startsWith(`${basePath}/`)) ?? first;
      return asked.handle(request, context);
    },
    start: async () => void (await Promise.all(chats.map((chat) => chat.start()))),
    stop: async () => void (await Promise.all(chats.map((chat) => chat.stop()))),
  };
}

function requireSettings(environment: Environment) {
  const problems: string[] = [];
  const attempt = <Value>(read: () => Value, place = ""): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(place + error.message);
      return undefined;
    }
  };
  attempt(requireNode);
  attempt(() => requireAddresses(environment));
  const agents = attempt(() => readAgents(environment)) ?? [];
  const withCustomer = ({ basePath, environment: own }: Agent) => {
    const place = agents.length > 1 ? `${basePath}\n` : "";
    attempt(() => readConfig(own), place);
    const customerOf = attempt(() => customerOfEnvironment(own, reportOnce), place);
    return { basePath, environment: own, customerOf };
  };
  const usable = agents.map(withCustomer);
  if (problems.length === 0) return usable;
  process.stderr.write(`The chat server cannot start:\n${problems.join("\n")}\n`);
  process.exit(1);
}

function requireAddresses(environment: Environment): void {
  const read = new Reader(environment);
  read.fitting("PORT", (value) => /^\d{1,5}$/.test(value) && Number(value) < 65_536, "must be a port number");
  // The pages are another server's, so no address is likelier than another.
  read.required("APP_ORIGIN", "Set the address of your pages in the browser, such as https://shop.example");
  read.throwProblems();
}

const reported = new Set<string>();

/** Once for each reason, because callers send any number of such tokens. */
function reportOnce(reason: string): void {
  if (reported.has(reason)) return;
  reported.add(reason);
  process.stderr.write(`A customer's token was refused, so that the caller is a guest: ${reason}\n`);
}
