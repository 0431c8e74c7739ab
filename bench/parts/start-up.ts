/** Time from a program's start to its first answer, and its CPU time and memory at that point. */
import { eachTarget } from "../support/each-target.ts";

export const startUp = eachTarget(
  {
    title: "Start-up",
    figures: [
      { key: "time", title: "until the first answer", unit: "ms", better: "less" },
      { key: "cpu", title: "CPU until then", unit: "ms", better: "less" },
      { key: "memory", title: "memory then", unit: "MiB", better: "less" },
    ],
  },
  async ({ running }) => ({
    time: running.readyAfter,
    cpu: running.cpu(),
    memory: running.memory().now / 1_024,
  }),
  { fresh: true, without: ["direct"] },
);
