/** Reads of a chat over 32 connections, as fast as possible. */
import { eachTarget } from "../support/each-target.ts";
import type { Options } from "../support/part.ts";
import { quantile } from "../support/statistics.ts";
import { get } from "../support/targets.ts";
import { Wire } from "../support/wire.ts";

export const connections = 32;
export const warmUpSeconds = 1;

export const reads = eachTarget(
  {
    title: `Chat reads, ${connections} connections`,
    figures: [
      { key: "perSecond", title: "reads/s", unit: "", better: "more" },
      { key: "cpu", title: "CPU per read", unit: "µs", better: "less" },
      { key: "p99", title: "p99", unit: "ms", better: "less" },
    ],
  },
  async (target, { seconds }: Options) => {
    const customer = await target.customer();
    const request = get(target, customer, `/chats/${customer.chatId}`);
    const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(target.port)));
    await readFor(wires, request, warmUpSeconds);
    const cpu = target.running.cpu();
    const began = performance.now();
    const times = await readFor(wires, request, seconds);
    const elapsed = performance.now() - began;
    const used = target.running.cpu() - cpu;
    for (const wire of wires) wire.close();
    return {
      perSecond: (times.length * 1_000) / elapsed,
      cpu: (used * 1_000) / times.length,
      p99: quantile(times, 0.99),
    };
  },
);

/** Duration of each read in milliseconds. */
export async function readFor(wires: readonly Wire[], request: Buffer, seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const times: number[] = [];
  await Promise.all(
    wires.map(async (wire) => {
      for (let now = performance.now(); now < until; ) {
        const { status, body } = await wire.send(request);
        if (status !== 200) throw new Error(`A read was answered ${status}: ${body.subarray(0, 300)}`);
        const answered = performance.now();
        times.push(answered - now);
        now = answered;
      }
    }),
  );
  return times;
}
