/** Reads of a chat, and of a page of its messages, over 32 connections, as fast as possible. */
import { eachTarget } from "../support/each-target.ts";
import type { Part } from "../support/part.ts";
import { measureRepeats } from "../support/repeat.ts";
import { quantile } from "../support/statistics.ts";
import { type Customer, get } from "../support/targets.ts";
import { Wire } from "../support/wire.ts";

const connections = 32;

export const reads = readsOf("Chat reads", ({ chatId }) => `/chats/${chatId}`);

export const pages = readsOf("Reads of a page of messages", ({ chatId }) => `/chats/${chatId}/messages`);

/** All connections read the same path for one customer. */
function readsOf(title: string, pathOf: (customer: Customer) => string): Part {
  return eachTarget(
    {
      title: `${title}, ${connections} connections`,
      figures: [
        { key: "perSecond", title: "reads/s", unit: "" },
        { key: "cpu", title: "CPU per read", unit: "µs" },
        { key: "p99", title: "p99", unit: "ms" },
      ],
    },
    async (target, { seconds }) => {
      const customer = await target.customer();
      const request = get(target, customer, pathOf(customer));
      const wires = Array.from({ length: connections }, () => new Wire(target.port));
      const readOne = (wire: Wire) => wire.expect(200, request);
      const { times, elapsed, cpu } = await measureRepeats([target.program.pid], wires, seconds, readOne);
      for (const wire of wires) wire.close();
      return {
        perSecond: (times.length * 1_000) / elapsed,
        cpu: ((cpu[0] ?? 0) * 1_000) / times.length,
        p99: quantile(times, 0.99),
      };
    },
  );
}
