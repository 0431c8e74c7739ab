import type { Program } from "../../testing/processes/program.ts";
import { processorTime } from "./machine.ts";
import type { Figure, Measured } from "./part.ts";
import { quantile } from "./statistics.ts";

const warmUpSeconds = 1;

/** Each worker repeats the action for this long. Returns the duration of every action in milliseconds. */
export async function repeatFor<Worker>(
  workers: readonly Worker[],
  seconds: number,
  act: (worker: Worker) => Promise<void>,
): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const times: number[] = [];
  await Promise.all(
    workers.map(async (worker) => {
      for (let now = performance.now(); now < until; ) {
        await act(worker);
        const ended = performance.now();
        times.push(ended - now);
        now = ended;
      }
    }),
  );
  return times;
}

/** The duration of each action after a warm-up, the time that passed and the programs' CPU time, in ms. */
export async function measureRepeats<Worker>(
  programs: readonly Program[],
  workers: readonly Worker[],
  seconds: number,
  act: (worker: Worker) => Promise<void>,
) {
  const used = () => programs.reduce((sum, program) => sum + processorTime(program.pid), 0);
  await repeatFor(workers, warmUpSeconds, act);
  const [before, began] = [used(), performance.now()];
  const times = await repeatFor(workers, seconds, act);
  return { times, elapsed: performance.now() - began, cpu: used() - before };
}

/** The figures of an action, such as `read`. */
export const rateFigures = (action: string): readonly Figure[] => [
  { key: "perSecond", title: `${action}s/s`, unit: "", better: "more" },
  { key: "cpu", title: `CPU per ${action}`, unit: "µs", better: "less" },
  { key: "p99", title: "p99", unit: "ms", better: "less" },
];

/** The values of `rateFigures`. */
export const ratesOf = ({ times, elapsed, cpu }: Awaited<ReturnType<typeof measureRepeats>>): Measured => ({
  perSecond: (times.length * 1_000) / elapsed,
  cpu: (cpu * 1_000) / times.length,
  p99: quantile(times, 0.99),
});
