/** A customer's browser: what its pages share. */

import { type Channels, createLocks, type LocksState } from "./locks.ts";
import type { Random } from "./random.ts";
import type { PageScheduler } from "./scheduler.ts";
import { hostCookie } from "./servers.ts";
import { createSharedStorage } from "./storage.ts";
import type { BrowserFacts } from "./world.ts";

export type SimulatedBrowser = ReturnType<typeof createBrowser>;

/** Milliseconds until every page sees another's write. */
export const slowestWrite = 200;

export function createBrowser(
  name: string,
  scheduler: PageScheduler,
  random: Random,
  customerOf: (token: string) => string | null,
) {
  /** Pages of one process see each other's writes at once, others a little later. */
  const longest = random.pick([0, 2, 20, slowestWrite]);
  const delay = () => random.next() * longest;
  const onRefused = () => {
    facts.hasLostStorage = true;
  };
  const storage = createSharedStorage({ scheduler, delay, onRefused });
  const cookies = new Map<string, string>();
  const channels: Channels = new Map();
  const state = {
    locks: "usual" as LocksState | "absent",
    hasChannels: true,
    isOnline: true,
  };
  const facts: BrowserFacts = {
    name,
    customer: () => customerOf(cookies.get(hostCookie) ?? ""),
    stored: () => storage.names().flatMap((entry) => storage.read(entry) ?? []),
    names: storage.names,
    restored: storage.restored,
    hasLostStorage: false,
    wasCleared: false,
  };
  return {
    name,
    facts,
    state,
    cookies,
    delay,
    channels,
    random,
    clockOffset: random.weighted<number>([
      [6, 0],
      [1, random.between(-3_000, 3_000)],
      [1, random.between(-600_000, 600_000)],
    ]),
    peer: `198.51.100.${random.between(1, 250)}`,
    storage,
    locks: createLocks(scheduler),
    cookieHeader: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    keepCookies({ headers }: Response) {
      for (const line of headers.getSetCookie()) {
        const [pair = "", ...attributes] = line.split("; ");
        const at = pair.indexOf("=");
        const isDeleted = attributes.some((one) => /^max-age=0$/i.test(one));
        if (isDeleted) cookies.delete(pair.slice(0, at));
        else cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
    },
  };
}
