/** Opens many turn streams and measures the delay of their deltas. */
import { setTimeout as pause } from "node:timers/promises";
import { machineTime, paceText, stampPattern } from "./pace.ts";
import { type Customer, streamRequest, type Target } from "./targets.ts";
import { Wire } from "./wire.ts";

/** The BFF's `streamsPerSession`. */
const streamsOfCustomer = 3;
/** More than a time stamp's length: this much of a chunk's end is searched again with the next chunk. */
const longestStamp = 24;

export interface Traffic {
  /** Milliseconds that each delta took from the synthetic Chat API to this process. */
  readonly latencies: number[];
  /** Resolves when the target has closed its streams of the synthetic Chat API, too. */
  close(): Promise<void>;
}

export interface Streams {
  count: number;
  perSecond: number;
  /** Time until each stream ends. */
  seconds: number;
  bytes: number;
}

export async function customersFor(target: Target, streams: number): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let made = 0; made < streams; made += streamsOfCustomer) customers.push(await target.customer());
  return customers;
}

/** Resolves when all streams have started. */
export async function openStreams(
  target: Target,
  customers: readonly Customer[],
  { count, perSecond, seconds, bytes }: Streams,
): Promise<Traffic> {
  const text = paceText({ deltas: Math.max(1, Math.ceil(perSecond * seconds)), perSecond, bytes });
  const wires: Wire[] = [];
  const traffic: Traffic = {
    latencies: [],
    async close() {
      for (const wire of wires) wire.close();
      // To a target that is suspended before, the synthetic Chat API would send for the rest of the run.
      while ((await target.command("/count")) > 0) await pause(100);
    },
  };
  const opening: Promise<void>[] = [];
  // Deltas would slow down the opening: on a busy machine until connections time out.
  await target.command("/pause");
  for (let index = 0; index < count; index += 1) {
    const customer = customers[Math.floor(index / streamsOfCustomer) % customers.length];
    if (customer === undefined) throw new Error("No customer for a stream");
    const wire = new Wire(target.port);
    wires.push(wire);
    let tail = "";
    const { promise: started, resolve, reject } = Promise.withResolvers<void>();
    const onBytes = (bytes: Buffer) => {
      resolve();
      const now = machineTime();
      const seen = tail + bytes.toString("latin1");
      let end = 0;
      for (const found of seen.matchAll(stampPattern)) {
        traffic.latencies.push(now - Number(found[1]));
        end = found.index + found[0].length;
      }
      tail = seen.slice(Math.max(end, seen.length - longestStamp));
    };
    // Closing ends it with an error, which comes too late for `reject`.
    wire.expect(201, streamRequest(target, customer, text), onBytes).then(() => resolve(), reject);
    opening.push(started);
    // Opens only a hundred at a time: this is no measurement of opening, which `firstEvent` covers.
    if (opening.length % 100 === 0) await Promise.all(opening);
  }
  await Promise.all(opening);
  await target.command("/resume");
  return traffic;
}
