import { processorTime } from "./machine.ts";

/** V8 had not optimised a target's code after one second: its reads became faster from round to round. */
export const warmUpSeconds = 5;

/** Each worker repeats the action for this long. Returns the duration of every action in milliseconds. */
async function repeatFor<Worker>(
  workers: readonly Worker[],
  seconds: number,
  act: (worker: Worker) => Promise<unknown>,
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

/** The duration of each action after a warm-up, the time that passed and each process's CPU time, in ms. */
export async function measureRepeats<Worker>(
  pids: readonly number[],
  workers: readonly Worker[],
  seconds: number,
  act: (worker: Worker) => Promise<unknown>,
) {
  await repeatFor(workers, warmUpSeconds, act);
  const [before, began] = [pids.map(processorTime), performance.now()];
  const times = await repeatFor(workers, seconds, act);
  const elapsed = performance.now() - began;
  return { times, elapsed, cpu: pids.map((pid, at) => processorTime(pid) - (before[at] ?? 0)) };
}
