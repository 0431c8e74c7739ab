/** Measures the memory of the test's own thread, without the process's other threads. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes of objects and buffers. */
export function heldMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Does the work. `bytes` is the thread's peak above its earlier use, garbage included. */
export async function peakMemory<T>(work: () => Promise<T>): Promise<{ result: T; bytes: number }> {
  const before = heldMemory();
  let most = before;
  const look = () => {
    const { heapUsed, external } = process.memoryUsage();
    most = Math.max(most, heapUsed + external);
  };
  const looking = setInterval(look, 1);
  try {
    const result = await work();
    look();
    return { result, bytes: most - before };
  } finally {
    clearInterval(looking);
  }
}
