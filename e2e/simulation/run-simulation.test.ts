import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

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

const digest = / steps, (\w+)$/m;

test.each(["model", "real"] as const)(
  "plays the same history from a seed, alone or among others, whenever garbage is collected: %s",
  async (channel) => {
    const options = ["--channel", channel];
    const [together, ...alone] = await Promise.all([
      play([...options, "--seed", "4", "--episodes", "2", "--digests"], smallHeaps[channel]),
      play([...options, "--episode", "4"]),
      play([...options, "--episode", "5"]),
    ]);
    const digests = alone.map((output) => digest.exec(output)?.[1]);
    expect(alone[0]?.split("\n").length).toBeGreaterThan(200);
    expect(new Set(digests).size).toBe(2);
    const among = Array.from(together.matchAll(/^episode \d+: (\w+)$/gm), ([, one]) => one);
    expect(among).toEqual(digests);
  },
);

test("fails if it has played nothing", async () => {
  await expect(play(["--episodes", "0"])).rejects.toMatchObject({ code: 1 });
});
