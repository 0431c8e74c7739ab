/**
 * Cuts the connection of a turn before each byte or some of them, in each direction, on each hop. The same
 * message, sent again under the same key, must lead to its one reply.
 */
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { newKey } from "#lib/engine/new-key.ts";
import { check, createNonces, type Violation } from "./checker.ts";
import { Customer } from "./customer.ts";
import type { ConnectionFault, Direction } from "./fault-proxy.ts";
import { createHistory, type History } from "./history.ts";
import { type BffForm, type Hop, type Layout, startLayout } from "./layout.ts";
import { createRandom, type Random } from "./random.ts";
import { readAll } from "./read-all.ts";

export interface ByteCutOptions {
  bff: BffForm;
  folder: string;
  seed: number;
  /** Number of randomly chosen cuts; undefined for every byte. */
  count: number | undefined;
  /** Number of layouts that work in parallel, because a cut spends most of its time waiting. */
  lanes: number;
  onProgress?(line: string): void;
}

export interface ByteCutReport {
  /** Bytes of one turn, by hop and direction. */
  turn: Record<string, number>;
  cuts: number;
  violations: Violation[];
}

interface Cut {
  hop: Hop;
  fault: ConnectionFault;
}

/** Messages per chat and per customer that stay within a session's limits. */
const messagesPerChat = 6;
const messagesPerCustomer = 12;

export async function cutAtBytes(options: ByteCutOptions): Promise<ByteCutReport> {
  const lanes = await Promise.all(
    Array.from({ length: options.lanes }, (_, index) => cutInLane(options, index + 1)),
  );
  return {
    turn: lanes[0]?.turn ?? {},
    cuts: lanes.reduce((sum, { cuts }) => sum + cuts, 0),
    violations: lanes.flatMap(({ violations }) => violations),
  };
}

/** Makes the cuts of one lane: every n-th cut for n lanes. */
async function cutInLane(
  { bff, folder: parent, seed, count, lanes, onProgress }: ByteCutOptions,
  lane: number,
): Promise<ByteCutReport> {
  const folder = join(parent, `lane-${lane}`);
  mkdirSync(folder);
  const file = createWriteStream(join(folder, "history.jsonl"));
  const history = createHistory((line) => void file.write(line));
  let next: Cut | undefined;
  let cuts = 0;
  const layout = await startLayout({
    name: "one",
    bff,
    folder,
    agentPace: 0,
    plan(hop) {
      if (next?.hop !== hop) return undefined;
      const { fault } = next;
      next = undefined;
      return fault;
    },
    onHit: () => {
      cuts += 1;
    },
    onUnexpectedEnd: (how) => history.add({ type: "broken", what: `a program ended by itself: ${how}` }),
  });
  try {
    const talk = createTalk(layout, history);
    const turn = await measureTurn(layout, talk);
    const all = cutsOf(turn);
    const drawn = count === undefined ? all : draw(all, count, createRandom(seed));
    const mine = drawn.filter((_, index) => index % lanes === lane - 1);
    for (const [index, cut] of mine.entries()) {
      await talk.prepare();
      next = cut;
      await talk.ask();
      next = undefined;
      if (index % 500 === 499) onProgress?.(`lane ${lane}: ${index + 1} of ${mine.length} cuts`);
    }
    await readAll(layout, history);
    return { turn, cuts, violations: check(history.records) };
  } finally {
    await layout.close();
    await new Promise((resolve) => file.end(resolve));
  }
}

/** A customer who only sends messages, one after the other. */
function createTalk(layout: Layout, history: History) {
  const steady: Random = {
    ...createRandom(1),
    chance: () => false,
    weighted: ([first]) => {
      if (first === undefined) throw new Error("no choice");
      return first[1];
    },
    fork: () => steady,
  };
  const nonce = createNonces();
  let customer: Customer | undefined;
  let chatId: string | null = null;
  let createKey = newKey();
  let said = 0;

  async function ask(): Promise<void> {
    if (customer === undefined) throw new Error("nobody is there to ask");
    ({ chatId } = await customer.say(chatId, createKey));
  }

  return {
    ask,
    /** Ensures a customer whose chat exists, so that the next request is the message. */
    async prepare(): Promise<void> {
      if (said % messagesPerCustomer === 0) {
        customer = new Customer({
          id: `customer ${said / messagesPerCustomer + 1}`,
          origin: layout.origin,
          appOrigin: layout.appOrigin,
          address: `10.1.${(said >> 8) & 255}.${said & 255}`,
          random: steady,
          history,
          nonce,
          patience: 0.01,
          onReload: () => undefined,
          until: new AbortController().signal,
        });
        await customer.startSession();
      }
      if (said % messagesPerChat === 0) {
        chatId = null;
        createKey = newKey();
        await ask();
      }
      said += 1;
    },
  };
}

const hops = ["customer", "channel"] as const;
const directions = ["up", "down"] as const;

async function measureTurn(
  layout: Layout,
  talk: ReturnType<typeof createTalk>,
): Promise<Record<`${Hop} ${Direction}`, number>> {
  await talk.prepare();
  const before = { customer: layout.bytes("customer"), channel: layout.bytes("channel") };
  await talk.ask();
  const bytes = (hop: Hop, direction: Direction) => layout.bytes(hop)[direction] - before[hop][direction];
  return {
    "customer up": bytes("customer", "up"),
    "customer down": bytes("customer", "down"),
    "channel up": bytes("channel", "up"),
    "channel down": bytes("channel", "down"),
  };
}

/** A cut before every byte, by RST and FIN alternately. */
function cutsOf(turn: Record<`${Hop} ${Direction}`, number>): Cut[] {
  return hops.flatMap((hop) =>
    directions.flatMap((direction) =>
      Array.from({ length: turn[`${hop} ${direction}`] }, (_, after): Cut => {
        const kind = after % 2 === 0 ? "rst" : "fin";
        return { hop, fault: { kind, direction, after, milliseconds: 0 } };
      }),
    ),
  );
}

function draw(all: readonly Cut[], count: number, random: Random): Cut[] {
  return Array.from({ length: count }, (_, index) => {
    // One cut from each of `count` equal parts, so that every part is covered.
    const part = all.length / count;
    return all[Math.floor((index + random.next()) * part)];
  }).filter((cut) => cut !== undefined);
}
