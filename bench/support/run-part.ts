import { load } from "./machine.ts";
import type { Options, Part } from "./part.ts";
import type { PartResult, Row } from "./result.ts";
import type { Bench } from "./targets.ts";

/** Measures every subject in each round, so that disturbances of the machine affect all of them. */
export async function runPart(name: string, part: Part, options: Options, bench: Bench): Promise<PartResult> {
  const subjects = part.subjects(options);
  const rows = new Map(subjects.map((subject): [string, Row] => [subject, { subject, rounds: [] }]));
  const loads: number[] = [];
  const session = await part.open(options, bench);
  try {
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const subject of subjects) {
        const measured = await session.measure(subject);
        rows.get(subject)?.rounds.push(measured);
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
  const { title, figures, titles, baselines } = part;
  return { name, title, figures, titles: titles ?? {}, baselines, rows: [...rows.values()], loads };
}
