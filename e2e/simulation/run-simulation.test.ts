import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const program = new URL("run-simulation.ts", import.meta.url).pathname;

/** Returns the output of a run in another process, because a run replaces its process's clocks and timers. */
async function play(options: string[], ofNode: string[] = []): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...ofNode, program, ...options], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** Collects garbage often: all of it before the model; with PGlite that takes half a minute. */
const smallHeaps = { model: ["--gc-global", "--max-semi-space-size=1"], real: ["--max-semi-space-size=1"] };

describe.each(["model", "real"] as const)("with the %s channel", (channel) => {
  test("plays the same history from the same seed, and another from another seed", async () => {
    const seeds = ["4", "4", "5"];
    const [first, again, other] = await Promise.all(
      seeds.map((seed) => play(["--channel", channel, "--episode", seed])),
    );
    expect(first?.split("\n").length).toBeGreaterThan(200);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test("plays an episode among others as it does alone, whenever garbage is collected", async () => {
    const digests = async (seed: string, episodes: string, ofNode?: string[]) => {
      const options = ["--channel", channel, "--seed", seed, "--episodes", episodes, "--digests"];
      const output = await play(options, ofNode);
      return [...output.matchAll(/^episode (\d+): (\w+)$/gm)].map(([line]) => line);
    };
    const [among, alone] = await Promise.all([digests("4", "2", smallHeaps[channel]), digests("5", "1")]);
    expect(alone).toHaveLength(1);
    expect(among?.slice(1)).toEqual(alone);
  });
});

test("fails if it has played nothing", async () => {
  await expect(play(["--episodes", "0"])).rejects.toMatchObject({ code: 1 });
});
