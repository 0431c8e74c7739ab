/**
 * The programs that a run disturbs. `one`: a channel on PGlite and one BFF. `many`: two channels on
 * PostgreSQL, two BFFs that share Redis, and nginx in front of them, as `compose.yaml` has them. One proxy in
 * front of nginx or the BFF and one in front of the channels cause faults; the latter balances the load.
 */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { demoChannel, nextArguments } from "../../../processes/environment.ts";
import { freePort } from "../../../processes/free-port.ts";
import { newChannelFolder } from "../../../testing/processes/channel-folder.ts";
import { findOrInstallPrograms } from "../../../testing/services/find-programs.ts";
import { startNginx } from "../../../testing/services/nginx.ts";
import { startServices } from "../../../testing/services/start-services.ts";
import { testKeys } from "../../../testing/test-keys.ts";
import { type ConnectionFault, FaultProxy } from "./fault-proxy.ts";
import { channelArguments, HarnessProgram, type ProgramSettings, plainBffArguments } from "./programs.ts";

export type LayoutName = "one" | "many";
/** The BFF without Next, through the demo's route handler, and on the sockets of Next's server (`direct`). */
export const bffForms = ["plain", "next", "direct"] as const;
export type BffForm = (typeof bffForms)[number];
/** The connection from customer to BFF, or from BFF to channel. */
export type Hop = "customer" | "channel";

export interface LayoutOptions {
  name: LayoutName;
  /** `next` and `direct` need a production build. */
  bff: BffForm;
  folder: string;
  agentPace: number;
  /** Arguments of Node, before each program's own. */
  nodeArguments?: readonly string[];
  plan(hop: Hop): ConnectionFault | undefined;
  onHit(hop: Hop, fault: ConnectionFault): void;
  onNotice?(notice: string, chatId: string): void;
  onUnexpectedEnd(how: string): void;
}

/** A balancer stops using a server that has not answered for this long. */
const unhealthyTime = 5_000;

/** Running programs and the addresses to reach them. */
export type Layout = Awaited<ReturnType<typeof startLayout>>;

export async function startLayout(options: LayoutOptions) {
  const { name, plan, onHit } = options;
  const data = await newChannelFolder();
  const serviceNames = name === "many" ? findOrInstallPrograms() : undefined;
  const services = serviceNames === undefined ? undefined : await startServices(serviceNames);
  const count = name === "many" ? 2 : 1;
  const team = await startTeam((notice, chatId) => options.onNotice?.(notice, chatId));
  const channelPorts = await freePorts(count);
  const bffPorts = await freePorts(count);
  const appOrigin = `http://localhost:${bffPorts[0]}`;
  const channels: HarnessProgram[] = [];
  const bffs: HarnessProgram[] = [];
  const proxyOf = (hop: Hop, backends: () => number[]) =>
    FaultProxy.start({ backends, plan: () => plan(hop), onHit: (fault) => onHit(hop, fault) });
  const channelProxy = await proxyOf("channel", () => inRotation(channelPorts, channels));
  for (const [index, port] of channelPorts.entries()) {
    const env = {
      CHANNEL_DATA_DIR: data,
      ...(services === undefined ? {} : { CHANNEL_DATABASE_URL: services.databaseUrl }),
      APP_ORIGIN: appOrigin,
      CHANNEL_NOTICE_URL: `http://127.0.0.1:${team.port}`,
      CHANNEL_NOTICE_SECRET: `whsec_${btoa("only for the tests of this tree")}`,
    };
    // One channel of a database has the lab.
    const lab = { CHANNEL_LAB: index === 0 ? "1" : "0" };
    channels.push(channelProgram(options, `channel ${index + 1}`, port, { ...env, ...lab }));
  }
  for (const [index, port] of bffPorts.entries()) {
    const env = {
      APP_ORIGIN: appOrigin,
      CHAT_BASE_URL: `http://127.0.0.1:${channelProxy.port}`,
      // Each customer has an IP address of its own, and nginx adds the proxy's.
      TRUST_PROXY_HOPS: services === undefined ? "1" : "2",
      ...(services === undefined ? {} : { REDIS_URL: services.redisUrl }),
    };
    bffs.push(bffProgram(options, `bff ${index + 1}`, port, env));
  }
  const nginx = serviceNames && (await startNginx(serviceNames.nginx, bffPorts));
  const customerProxy = await proxyOf("customer", () =>
    nginx === undefined ? inRotation(bffPorts, bffs) : [nginx.port],
  );
  const programs = [...channels, ...bffs];
  async function close(): Promise<void> {
    for (const proxy of [customerProxy, channelProxy]) await proxy.close();
    await Promise.all(programs.map((program) => program.end("SIGKILL")));
    await nginx?.stop();
    await services?.stop();
    team.close();
    rmSync(data, { recursive: true, force: true });
  }
  try {
    // Starts the channels one after the other, because the first one creates the tables.
    const startChannels = async () => {
      for (const channel of channels) await channel.start();
    };
    await Promise.all([startChannels(), ...bffs.map((bff) => bff.start())]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    name,
    channels,
    bffs,
    services,
    nginx,
    /** The address that customers call. */
    origin: `http://127.0.0.1:${customerProxy.port}`,
    /** The origin of the BFF's pages. */
    appOrigin,
    /** The address without the proxy of the channel that has the lab. */
    labUrl: `http://127.0.0.1:${channelPorts[0]}`,
    /** Resumes suspended programs, restarts ended ones, and disarms kill points. */
    async mend(): Promise<void> {
      for (const program of programs) {
        program.resume();
        if (program.isArmed) await program.end("SIGKILL");
        // One that killed itself at a kill point may be starting already.
        while (!program.isReady) await program.start();
      }
    },
    close,
  };
}

/** The receiver of the team's notices, slow enough for two processes to deliver one at the same time. */
async function startTeam(onNotice: (notice: string, chatId: string) => void) {
  const answerTime = 400;
  const server = createServer((request, response) => {
    const noted = json(request).then((body) => {
      const { data } = body as { data: { chatId: string } };
      onNotice(String(request.headers["webhook-id"]), data.chatId);
      setTimeout(() => response.writeHead(204).end(), answerTime);
    });
    // A process that is killed while it sends leaves half a body.
    noted.catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, close };
}

type Environment = Record<string, string>;

function channelProgram(options: LayoutOptions, name: string, port: number, env: Environment) {
  return programOf(options, {
    name,
    args: channelArguments,
    healthUrl: `http://127.0.0.1:${port}/healthz`,
    env: {
      CHANNEL_PORT: String(port),
      CHANNEL_TEAM_KEY: testKeys.teamKey,
      ...demoChannel,
      CHANNEL_AGENT_PACE: String(options.agentPace),
      ...env,
    },
  });
}

function bffProgram(options: LayoutOptions, name: string, port: number, env: Environment) {
  return programOf(options, {
    name,
    args: options.bff === "plain" ? plainBffArguments : nextArguments("start", { port }),
    healthUrl: `http://127.0.0.1:${port}/api/chat/health/live`,
    env: {
      PORT: String(port),
      HOST: "127.0.0.1",
      SESSION_SECRET: testKeys.sessionSecret,
      ...(options.bff === "direct" ? { CHAT_DIRECT: "1" } : {}),
      ...env,
    },
  });
}

type OwnSettings = Pick<ProgramSettings, "name" | "args" | "healthUrl" | "env">;

function programOf(options: LayoutOptions, { args, env, ...own }: OwnSettings): HarnessProgram {
  return new HarnessProgram({
    ...own,
    args: [...(options.nodeArguments ?? []), ...args],
    logFile: join(options.folder, `${own.name.replace(" ", "-")}.log`),
    onUnexpectedEnd: options.onUnexpectedEnd,
    env: {
      CHAT_CHANNEL_KEY: testKeys.channelKey,
      CHAT_KEY: testKeys.chatKey,
      LOG_LEVEL: "warn",
      ...env,
    },
  });
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let index = 0; index < count; index += 1) ports.push(await freePort());
  return ports;
}

let turn = 0;

/** The healthy servers in round-robin order. */
function inRotation(ports: readonly number[], programs: readonly HarnessProgram[]): number[] {
  turn += 1;
  const healthy = ports.filter((_, index) => (programs[index]?.stoppedFor ?? 0) < unhealthyTime);
  const first = turn % Math.max(1, healthy.length);
  return [...healthy.slice(first), ...healthy.slice(0, first)];
}
