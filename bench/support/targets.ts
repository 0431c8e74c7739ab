/** The compared servers, each between the same load and the same synthetic Chat API. */
import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { nextArguments } from "../../processes/environment.ts";
import { freePort } from "../../processes/free-port.ts";
import type { Program } from "../../processes/program.ts";
import { cores, end, launch } from "./machine.ts";
import type { Command } from "./pace.ts";
import { channelKey, chatKey } from "./turn-load.ts";
import { Wire, type WireRequest } from "./wire.ts";

/** A customer of a target, with a chat. */
export interface Customer {
  headers: Readonly<Record<string, string>>;
  chatId: string;
}

export type Target = ReturnType<typeof createTarget>;

export const targetNames = [
  "next-pipe",
  "next-signed-pipe",
  "next-bff",
  "next-direct",
  "bff",
  "fastify",
  "direct",
] as const;
export type TargetName = (typeof targetNames)[number];

export const targetTitles: Readonly<Record<TargetName, string>> = {
  "next-pipe": "Next handler that pipes",
  "next-signed-pipe": "the same, verifying a JWT",
  "next-bff": "**ours in Next**",
  "next-direct": "**ours in Next, on its sockets**",
  bff: "**ours without Next**",
  fastify: "Fastify that pipes",
  direct: "no server between",
};

/** Signs the customers in at our servers and at the pipe that verifies (`../targets/customer-of.ts`). */
const signInSecret = randomBytes(32).toString("hex");
const own = { "x-chat-client": "1", "sec-fetch-site": "same-origin" };

/** `npm run bench -- reads --targets bff --profile FOLDER` writes each target's CPU profile to the folder. */
export function profiling(): string[] {
  const folder = process.env["BENCH_PROFILE"];
  if (folder === undefined) return [];
  // Node writes the profile when a process exits, not when it is killed.
  const exitOnSignal = 'data:text/javascript,process.once("SIGTERM", () => process.exit())';
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--import", exitOnSignal];
}

export class Bench {
  readonly upstream: Program;
  readonly #upstreamPort: number;

  private constructor(upstream: Program, port: number) {
    this.upstream = upstream;
    this.#upstreamPort = port;
  }

  static async start(): Promise<Bench> {
    const port = await freePort();
    const upstream = await launch({
      command: [process.execPath, "bench/targets/upstream.ts"],
      env: { PORT: String(port) },
      core: cores.load,
      port,
    });
    return new Bench(upstream, port);
  }

  async start(name: TargetName): Promise<Target> {
    const port = name === "direct" ? this.#upstreamPort : await freePort();
    const program = name === "direct" ? this.upstream : await this.#launch(name, port);
    return createTarget(name, port, program, this.#upstreamPort);
  }

  #launch(name: Exclude<TargetName, "direct">, port: number): Promise<Program> {
    const isNext = name.startsWith("next-");
    const env = {
      PORT: String(port),
      APP_ORIGIN: `http://localhost:${port}`,
      CHAT_BASE_URL: `http://127.0.0.1:${this.#upstreamPort}`,
      CHAT_CHANNEL_KEY: channelKey,
      CHAT_KEY: chatKey,
      SESSION_SECRET: randomBytes(32).toString("hex"),
      BENCH_SIGN_IN_SECRET: signInSecret,
      MAX_STREAMS: "10000",
      MAX_CHATS_PER_DAY: "10000000",
      BENCH_TARGET: name,
    };
    const args = isNext
      ? [...nextArguments("start", { port }), "bench/next"]
      : ["--conditions=react-server", `bench/targets/${name}.ts`];
    const command = [process.execPath, ...profiling(), ...args];
    return launch({ command, env, core: cores.target, port });
  }

  async stop(): Promise<void> {
    await end(this.upstream);
  }
}

const prefixes: Partial<Record<TargetName, string>> = {
  "next-bff": "/api/chat",
  "next-direct": "/api/chat",
  bff: "/api/chat",
  direct: `/v1/channels/${channelKey}`,
};

function createTarget(name: TargetName, port: number, program: Program, upstreamPort: number) {
  const prefix = prefixes[name] ?? "/pipe";
  const hasSignIn = prefix === "/api/chat" || name === "next-signed-pipe";

  return {
    name,
    port,
    program,
    /** The path before `/chats`. */
    prefix,
    /** Signs a customer in, if the target has customers, and creates a chat. */
    async customer(): Promise<Customer> {
      const wire = new Wire(port);
      const json = {
        ...own,
        host: `localhost:${port}`,
        origin: `http://localhost:${port}`,
        "content-type": "application/json",
      };
      const headers = hasSignIn ? { ...json, cookie: `sign_in=${await signInToken()}` } : json;
      const body = prefix === "/api/chat" ? "{}" : JSON.stringify({ userId: "customer-1" });
      const created = await wire.expect(201, {
        method: "POST",
        path: `${prefix}/chats`,
        headers: { ...headers, "idempotency-key": randomBytes(12).toString("hex") },
        body,
      });
      wire.close();
      return { headers, chatId: JSON.parse(created.toString()).item.id };
    },
    /** Returns the number of streams that the synthetic Chat API has open. */
    async command(command: Command): Promise<number> {
      const response = await fetch(`http://127.0.0.1:${upstreamPort}${command}`);
      return Number(await response.text());
    },
    stop: () => (name === "direct" ? Promise.resolve() : end(program)),
  };
}

let customers = 0;

function signInToken(): Promise<string> {
  customers += 1;
  return new SignJWT({ name: "Ada Lovelace" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(`customer-${customers}`)
    .setExpirationTime("1d")
    .sign(new TextEncoder().encode(signInSecret));
}

export function get(target: Target, { headers }: Customer, path: string): WireRequest {
  const { "content-type": _, ...rest } = headers;
  return { method: "GET", path: `${target.prefix}${path}`, headers: rest };
}

export function streamRequest(target: Target, { headers, chatId }: Customer, text: string): WireRequest {
  return {
    method: "POST",
    path: `${target.prefix}/chats/${chatId}/messages`,
    headers: { ...headers, accept: "text/event-stream", "idempotency-key": randomBytes(12).toString("hex") },
    body: JSON.stringify({ text }),
  };
}
