/** What a test's own thread holds in memory: other threads share the process, and garbage is nobody's. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes, of objects and of buffers. */
export function heldMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Does the work. `bytes` is the most that the thread had meanwhile beyond what it held before, garbage included. */
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
