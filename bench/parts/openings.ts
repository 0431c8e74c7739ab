/** The chat's requests when it opens chats of different lengths. */
import { processorTime } from "../support/machine.ts";
import type { Part } from "../support/part.ts";
import { median } from "../support/statistics.ts";
import { get, longChat } from "../support/targets.ts";
import { Wire } from "../support/wire.ts";

const lengths = [10, 100, 1_000, 2_000, 10_000];
const openingsOfChat = 20;

/**
 * Measures how long our server without Next takes to read a chat's state and its last messages: first
 * without, then with the page start that a browser remembers.
 */
export const openings: Part = {
  title: "Opening a chat, by its number of messages",
  figures: [
    { key: "first", title: "first time", unit: "ms" },
    { key: "again", title: "again", unit: "ms" },
    { key: "cpu", title: "CPU, first time", unit: "ms" },
    { key: "cpuAgain", title: "CPU, again", unit: "ms" },
  ],
  subjects: () => lengths.map(String),
  async open(_, bench) {
    const target = await bench.start("bff");
    const wire = new Wire(target.port);
    return {
      async measure(length) {
        const customer = await target.customer();
        const opened = Array.from({ length: openingsOfChat }, () => longChat(customer, Number(length)));
        const known = new Map<string, string>();
        const openAll = async () => {
          const times: number[] = [];
          const cpu = processorTime(target.program.pid);
          for (const chatId of opened) {
            const began = performance.now();
            await wire.expect(200, get(target, customer, `/chats/${chatId}`));
            const path = `/chats/${chatId}/messages/latest${known.get(chatId) ?? ""}`;
            const latest = await wire.expect(200, get(target, customer, path));
            times.push(performance.now() - began);
            const { starts } = JSON.parse(latest.toString());
            known.set(chatId, starts.length > 1 ? `?cursor=${starts.at(-1)}` : "");
          }
          return { time: median(times), cpu: (processorTime(target.program.pid) - cpu) / opened.length };
        };
        const [first, again] = [await openAll(), await openAll()];
        return { first: first.time, again: again.time, cpu: first.cpu, cpuAgain: again.cpu };
      },
      async close() {
        wire.close();
        await target.stop();
      },
    };
  },
};
