/** One episode's world: its browsers, servers and network, and what can be done to them. */
import type { Feedback } from "#lib/bff/chats/host.ts";
import { createBrowser, type SimulatedBrowser } from "./browser.ts";
import type { MakeChatApi } from "./chat-api.ts";
import { createCustomerStage } from "./customer-stage.ts";
import { fateOf, pageOf } from "./fates.ts";
import { exchange, type Server } from "./network.ts";
import type { SimulatedPage } from "./page.ts";
import type { Random } from "./random.ts";
import { createActor, type Scheduler } from "./scheduler.ts";
import {
  apiOrigin,
  type ChatServerProcess,
  channelKey,
  hostCookie,
  type ShopSettings,
  shopOrigin,
  startChatServer,
} from "./servers.ts";
import type { ApiRequest, SentRequest, ThrownError, World } from "./world.ts";

export interface StageOptions {
  scheduler: Scheduler;
  random: Random;
  makeChatApi: MakeChatApi;
  /** False if this decision, named by its number, is left out of a smaller history. */
  allows(decision: string): boolean;
}

export type Stage = ReturnType<typeof createStage>;

const secretsOf = (phase: number) => {
  const [older, newer] = [Math.ceil(phase / 2) - 1, Math.ceil(phase / 2)].map(
    (number) => `secret number ${Math.max(0, number)} of the simulated shop`,
  );
  // Odd phases accept the newer secret, even ones seal with it.
  return phase === 0 ? `${newer}` : phase % 2 === 1 ? `${older},${newer}` : `${newer},${older}`;
};

export function createStage({ scheduler, random, makeChatApi, allows }: StageOptions) {
  const wire = createActor("network");
  const clockOffset = random.pick([0, 0, 0, -5_000, 90_000]);
  const share = random.weighted<number>([
    [2, 0],
    [3, 0.03],
    [3, 0.1],
    [2, 0.3],
  ]);
  const network = {
    share,
    longest: random.pick([5, 60, 400]),
    /** Requests arrive, and none of their answers. */
    losesAnswers: false,
    /**
     * Each write of a page loses its request or its answer in turn, however often it is repeated: nothing
     * arrives, or the error of a proxy.
     */
    losesWrites: null as "nothing" | "an error" | null,
    /** The keys of such writes. */
    lostKeys: new Set<string>(),
  };
  const fleet: {
    servers: ChatServerProcess[];
    size: number;
    phase: number;
    started: number;
    /** When the last process has the secrets of this phase. */
    rotatesUntil: number;
    isMixed: boolean;
  } = {
    servers: [],
    size: random.between(1, 3),
    phase: 0,
    started: 0,
    rotatesUntil: 0,
    /** Every other server is of an older version. */
    isMixed: random.chance(0.2),
  };
  const signIns = new Map<string, string>();
  const customerOf = (token: string) => signIns.get(token) ?? null;
  const requests: SentRequest[] = [];
  const apiRequests: ApiRequest[] = [];
  const errors: ThrownError[] = [];
  const feedback: Feedback[] = [];
  const counts = { pageRequests: 0, apiRequests: 0 };

  const model = makeChatApi({ scheduler, random, clockOffset, errors });

  /** A process of the Chat API, for the request of this number. */
  function apiServer(number: number): Server | null {
    const servers = model.servers();
    const server = servers[random.fork(`api server ${number}`).between(0, servers.length - 1)];
    if (server === undefined) return null;
    return { actor: server.actor, handle: (request) => noted(request, server) };
  }

  async function noted(request: Request, server: Server): Promise<Response> {
    const sent: ApiRequest = {
      at: scheduler.now(),
      method: request.method,
      path: request.url.replace(`${apiOrigin}/v1/channels/${channelKey}`, ""),
      key: request.headers.get("idempotency-key"),
      status: null,
    };
    apiRequests.push(sent);
    const response = await server.handle(request);
    sent.status = response.status;
    return response;
  }

  const settings: ShopSettings = {
    guestChats: random.pick(["leave", "follow"]),
    isLimited: random.chance(0.3),
    onFeedback: random.chance(0.5) ? (one) => void feedback.push(one) : null,
    customerOf: (token) => {
      const id = customerOf(token);
      return id === null ? null : { id, name: id };
    },
  };

  function fate(hop: "page" | "api", number: number, key: string | null = null) {
    // A proxy before the chat server that repeats a request gets two answers, of which it passes on one. If
    // the next proxy refuses that one, nobody hears of the other, which was stored.
    const weather = { ...network, doubles: hop === "api" };
    const drawn = fateOf(random.fork(`${hop} ${number}`), weather);
    if (network.losesWrites && key !== null) {
      const isStored = [...network.lostKeys.add(key)].indexOf(key) % 2 === 1;
      if (network.losesWrites === "nothing")
        return { ...drawn, ...(isStored ? { responseBytes: 0 } : { isLost: true }) };
      const refusal = pageOf(random.fork(`${hop} ${number} error`).pick([500, 502, 503, 504]));
      return { ...drawn, ...(isStored ? { replace: () => refusal } : { refusal }) };
    }
    if (network.losesAnswers) return { ...drawn, responseBytes: 0 };
    return drawn.name === null || allows(`${hop} ${number}`)
      ? drawn
      : fateOf(random.fork(`${hop} ${number}`), { ...weather, share: 0 });
  }

  function startServer(): void {
    fleet.started += 1;
    const offset = random.fork(`clock ${fleet.started}`).pick([0, 0, -2_000, 45_000]);
    fleet.servers.push(
      startChatServer(
        `chat server ${fleet.started}`,
        scheduler,
        settings,
        {
          secrets: secretsOf(fleet.phase),
          clockOffset: offset,
          isOlderVersion: fleet.isMixed && fleet.started % 2 === 0,
        },
        (server) => (address, init) => {
          counts.apiRequests += 1;
          const number = counts.apiRequests;
          const drawn = fate("api", number);
          const says = `${init.method ?? "GET"} ${address.slice(apiOrigin.length).replace(`/v1/channels/${channelKey}`, "")}`;
          return exchange(
            {
              scheduler,
              wire,
              from: server.actor,
              to: () => apiServer(number),
              fate: drawn,
              says: saysOf(says, drawn.name),
            },
            address,
            init,
          );
        },
      ),
    );
  }

  const saysOf = (request: string, fault: string | null) =>
    fault === null ? request : `${request} (${fault})`;

  function endServer(server: ChatServerProcess): void {
    fleet.servers = fleet.servers.filter((other) => other !== server);
    scheduler.kill(server.actor);
  }

  const browsers = Array.from({ length: random.between(1, 2) }, (_, index) =>
    createBrowser(`browser ${index + 1}`, scheduler, random.fork(`browser ${index + 1}`), customerOf),
  );
  const customers = createCustomerStage({
    scheduler,
    origin: shopOrigin,
    browsers,
    consent: random.chance(0.2) ? "1" : null,
    prefix: "m",
    requests,
    errors,
    personOf: new Map(),
    send(page, address, init, told) {
      counts.pageRequests += 1;
      const number = counts.pageRequests;
      const drawn = fate("page", number, new Headers(init.headers).get("idempotency-key"));
      const says = `${init.method ?? "GET"} ${new URL(address).pathname.replace("/api/chat", "")}`;
      const choice = random.fork(`server ${number}`);
      const to = () => {
        const { servers } = fleet;
        return servers[choice.between(0, servers.length - 1)] ?? null;
      };
      return exchange(
        { scheduler, wire, from: page.actor, to, fate: drawn, says: saysOf(says, drawn.name), ...told },
        address,
        init,
      );
    },
  });
  const { pages, presses, tabs } = customers;

  /** The page runs again, after a dialog or in the back/forward cache. */
  function wake(page: SimulatedPage): void {
    const isCached = page.life === "cached";
    if (isCached) scheduler.schedule(page.actor, 0, "comes out of the back/forward cache", () => page.show());
    // Its timers fire after that.
    scheduler.thaw(page.actor, isCached ? 1 : 0);
  }

  const world: World = {
    now: scheduler.now,
    isHealed: false,
    browsers: browsers.map(({ facts }) => facts),
    pages,
    changed: null,
    hasActed: false,
    presses,
    requests,
    apiRequests,
    model,
    feedback,
    errors,
    timersOf: scheduler.timersOf,
  };

  for (let count = 0; count < fleet.size; count += 1) startServer();
  for (const browser of browsers) customers.openTab(browser);

  return {
    ...customers,
    scheduler,
    world,
    random,
    network,
    fleet,
    model,
    wake,
    startServer,
    endServer,
    pageOfStep() {
      const actor = scheduler.current();
      return pages.find((page) => page.actor === actor) ?? null;
    },
    signIn(browser: SimulatedBrowser, customer: string) {
      const token = `token-${customer}-${browser.name.replaceAll(" ", "-")}-${scheduler.steps()}`;
      signIns.set(token, customer);
      browser.cookies.set(hostCookie, token);
    },
    signOut(browser: SimulatedBrowser) {
      signIns.delete(browser.cookies.get(hostCookie) ?? "");
      browser.cookies.delete(hostCookie);
    },
    /** A teammate joins each chat and writes. */
    teamWrites() {
      for (const chatId of model.chats.keys()) {
        model.team.claim(chatId, "Kim");
        model.team.write(chatId, `Kim's last word in ${chatId}`);
      }
      return "Kim writes in each chat";
    },
    /** Ends all faults. Who is signed in, and what is stored, stay. */
    heal() {
      network.share = 0;
      network.longest = 60;
      network.losesAnswers = false;
      network.losesWrites = null;
      world.isHealed = true;
      model.switches.published = true;
      model.switches.suspended = false;
      model.switches.planEnded = false;
      model.switches.atCapacity = false;
      model.switches.refusal = null;
      model.switches.requestsPerMinute = Number.POSITIVE_INFINITY;
      model.heal();
      for (const server of fleet.servers) scheduler.thaw(server.actor);
      while (fleet.servers.length < fleet.size) startServer();
      for (const browser of browsers) {
        browser.storage.setState("usual");
        if (!browser.state.isOnline) customers.online(browser);
      }
      for (const { page } of tabs) if (!page.hangs) wake(page);
    },
  };
}
