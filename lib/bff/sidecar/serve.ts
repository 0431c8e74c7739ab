/** `npx shop-chat serve`: the chat server as a program beside a host in any language. */
import { createChatServer } from "../chat-server/chat-server.ts";
import { ConfigurationError, type Environment, Reader, readConfig } from "../configuration/env.ts";
import { requireNode } from "../configuration/node-version.ts";
import { serveAlone } from "../node/program.ts";
import type { CustomerOf } from "../session/customer.ts";
import { customerOfEnvironment } from "./customer-settings.ts";

const defaultAddress = { host: "127.0.0.1", port: "2429" };

/** Serves until a signal. Prints every problem of the environment and exits if there is one. */
export async function serve(environment: Environment): Promise<void> {
  const customerOf = requireSettings(environment);
  const chat = createChatServer({ configuration: environment, ...(customerOf && { customerOf }) });
  const port = environment["PORT"] || defaultAddress.port;
  await serveAlone(chat, { host: environment["HOST"] || defaultAddress.host, port });
}

function requireSettings(environment: Environment): CustomerOf | undefined {
  const problems: string[] = [];
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  attempt(requireNode);
  attempt(() => requireAddresses(environment));
  attempt(() => readConfig(environment));
  const customerOf = attempt(() => customerOfEnvironment(environment, reportOnce));
  if (problems.length === 0) return customerOf;
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
