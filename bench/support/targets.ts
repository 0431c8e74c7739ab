/** The compared servers, each between the same load and the same synthetic Chat API. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { shortPauses } from "../../scripts/launcher/environment.ts";
import { freePort } from "../../testing/processes/program.ts";
import { cores, Running } from "./machine.ts";
import { encodeRequest, type RequestHead, Wire } from "./wire.ts";

/** A customer of a target, with a chat. */
export interface Customer {
  headers: Readonly<Record<string, string>>;
  chatId: string;
  /** The chat's owner, if the target has owners. */
  userId: string;
}

export type Target = ReturnType<typeof createTarget>;

export const targetNames = [
  "next-pipe",
  "next-sealed",
  "next-bff",
  "next-direct",
  "bff",
  "fastify",
  "nginx",
  "direct",
] as const;
export type TargetName = (typeof targetNames)[number];

export const targetTitles: Readonly<Record<TargetName, string>> = {
  "next-pipe": "Next handler that pipes",
  "next-sealed": "the same + iron-session",
  "next-bff": "**ours in Next**",
  "next-direct": "**ours in Next, on its sockets**",
  bff: "**ours without Next**",
  fastify: "Fastify that pipes",
  nginx: "nginx",
  direct: "no server between",
};

const channelKey = "dep_benchmark";
const chatKey = "ck_benchmark";
/** Signs the customers in at our servers (`../targets/raised-chat.ts`). */
const signInSecret = randomBytes(32).toString("hex");
const own = { "x-chat-client": "1", "sec-fetch-site": "same-origin" };
const nginxProgram = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((path) => existsSync(path));

export const isAvailable = (name: TargetName) => name !== "nginx" || nginxProgram !== undefined;

/** `npm run bench -- reads --targets bff --profile FOLDER` writes each target's CPU profile to the folder. */
export function profiling(): string[] {
  const folder = process.env["BENCH_PROFILE"];
  if (folder === undefined) return [];
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--import", "./bench/support/exit-on-signal.ts"];
}

export class Bench {
  readonly upstream: Running;
  readonly #upstreamPort: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "shop-chat-bench-"));

  private constructor(upstream: Running, port: number) {
    this.upstream = upstream;
    this.#upstreamPort = port;
  }

  static async start(): Promise<Bench> {
    const port = await freePort();
    const upstream = await Running.start({
      command: [process.execPath, "bench/targets/upstream.ts"],
      env: { PORT: String(port) },
      core: cores.load,
      ready: { port, path: "/v1/channels/x/chats/chat_ready" },
    });
    return new Bench(upstream, port);
  }

  async start(name: TargetName, more: NodeJS.Dict<string> = {}): Promise<Target> {
    const port = name === "direct" ? this.#upstreamPort : await freePort();
    const running = name === "direct" ? this.upstream : await this.#launch(name, port, more);
    return createTarget(name, port, running);
  }

  #launch(name: Exclude<TargetName, "direct">, port: number, more: NodeJS.Dict<string>): Promise<Running> {
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
      ...more,
    };
    const node = process.execPath;
    const command = isNext
      ? [
          node,
          shortPauses,
          "node_modules/next/dist/bin/next",
          "start",
          "bench/next",
          "-H",
          "127.0.0.1",
          "-p",
          String(port),
        ]
      : name === "nginx"
        ? [nginxProgram ?? "nginx", "-c", this.#nginxConfig(port), "-p", this.#folder]
        : [node, shortPauses, ...profiling(), "--conditions=react-server", `bench/targets/${name}.ts`];
    return Running.start({ command, env, core: cores.target, ready: { port, path: "/live" } });
  }

  #nginxConfig(port: number): string {
    const file = join(this.#folder, "nginx.conf");
    writeFileSync(
      file,
      `daemon off; worker_processes 1; pid nginx.pid; error_log stderr warn;
      events { worker_connections 8192; }
      http {
        access_log off; client_max_body_size 8m; client_body_temp_path body; proxy_temp_path proxy;
        fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
        keepalive_requests 10000000;
        upstream channel { server 127.0.0.1:${this.#upstreamPort}; keepalive 2048; keepalive_requests 10000000; }
        server {
          listen 127.0.0.1:${port};
          location /live { return 200 ok; }
          location /pipe/ {
            proxy_pass http://channel/v1/channels/${channelKey}/;
            proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off;
            proxy_set_header Authorization "Bearer ${chatKey}";
          }
        }
      }`,
    );
    return file;
  }

  async stop(): Promise<void> {
    await this.upstream.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const prefixes: Partial<Record<TargetName, string>> = {
  "next-sealed": "/sealed",
  "next-bff": "/api/chat",
  "next-direct": "/api/chat",
  bff: "/api/chat",
  direct: `/v1/channels/${channelKey}`,
};

function createTarget(name: TargetName, port: number, running: Running) {
  const prefix = prefixes[name] ?? "/pipe";
  const isOurs = prefix === "/api/chat";

  async function ask(wire: Wire, head: RequestHead) {
    const answer = await wire.send(encodeRequest(head));
    if (answer.status >= 300)
      throw new Error(`${name}: ${head.path} answered ${answer.status} ${answer.body}`);
    return answer;
  }

  return {
    name,
    port,
    running,
    /** The path before `/chats`. */
    prefix,
    /** Signs a customer in or creates a session, if the target has either, and creates a chat. */
    async customer(): Promise<Customer> {
      const wire = await Wire.open(port);
      const json = {
        ...own,
        host: `localhost:${port}`,
        origin: `http://localhost:${port}`,
        "content-type": "application/json",
      };
      let headers: Record<string, string> = json;
      if (isOurs) headers = { ...json, cookie: `sign_in=${await signInToken()}` };
      if (name === "next-sealed") {
        const { head } = await ask(wire, { method: "POST", path: `${prefix}/session`, headers, body: "{}" });
        headers = { ...json, cookie: /set-cookie: ([^;\r\n]+)/i.exec(head)?.[1] ?? "" };
      }
      const body = isOurs ? "{}" : JSON.stringify({ userId: "customer-1" });
      const made = await ask(wire, {
        method: "POST",
        path: `${prefix}/chats`,
        headers: { ...headers, "idempotency-key": randomBytes(12).toString("hex") },
        body,
      });
      wire.close();
      const { item } = JSON.parse(made.body.toString());
      return { headers, chatId: item.id, userId: item.userId };
    },
    stop: () => (name === "direct" ? Promise.resolve() : running.stop()),
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

export function get(target: Target, { headers }: Customer, path: string): Buffer {
  const { "content-type": _, ...rest } = headers;
  return encodeRequest({ method: "GET", path: `${target.prefix}${path}`, headers: rest });
}

export function streamRequest(target: Target, { headers, chatId }: Customer, text: string): Buffer {
  return encodeRequest({
    method: "POST",
    path: `${target.prefix}/chats/${chatId}/messages`,
    headers: { ...headers, accept: "text/event-stream", "idempotency-key": randomBytes(12).toString("hex") },
    body: JSON.stringify({ text }),
  });
}
