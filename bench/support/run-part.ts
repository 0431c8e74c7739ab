import { load } from "./machine.ts";
import type { Measured, Options, Part } from "./part.ts";
import type { Bench } from "./targets.ts";

export interface PartResult {
  part: Part;
  /** Each subject's rounds. */
  rows: ReadonlyMap<string, readonly Measured[]>;
  /** The machine's load average after each measurement. */
  loads: readonly number[];
}

/** Measures every subject in each round, so that disturbances of the machine affect all of them. */
export async function runPart(name: string, part: Part, options: Options, bench: Bench): Promise<PartResult> {
  const rows = new Map(part.subjects(options).map((subject): [string, Measured[]] => [subject, []]));
  const loads: number[] = [];
  const session = await part.open(options, bench);
  try {
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const [subject, rounds] of rows) {
        const measured = await session.measure(subject);
        rounds.push(measured);
        loads.push(load());
        const shown = Object.entries(measured).map(([key, value]) => `${key} ${value.toPrecision(4)}`);
        console.error(
          `  ${name} ${round}/${options.rounds} ${subject}: ${shown.join(", ")}, load ${load().toFixed(1)}`,
        );
      }
    }
  } finally {
    await session.close();
  }
  return { part, rows, loads };
}
