/**
 * Plans the shop agent's answers in a worker thread, one at a time. A long computation there does not block
 * the event loop, a deadline bounds it, and running out of memory ends the thread instead of the process.
 */
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import type { Plan } from "./plan.ts";

export interface PlanThreadOptions {
  /** The shop's address, for links and pictures. */
  shopOrigin: string;
  /** Deadline for one plan, in milliseconds; usually a plan takes a few. */
  deadline?: number;
  /** The thread's module. It posts `ready` and then answers each turn with a `Plan`. */
  program?: URL;
}

const planProgram = new URL("./plan-worker.ts", import.meta.url);
const maxHeapMebibytes = 512;

/**
 * Starts the thread; rejects if it cannot start. A plan rejects if it exceeds the deadline or ends the
 * thread. The next one starts another thread.
 */
export async function openPlanThread(
  options: PlanThreadOptions,
): Promise<(turn: AgentTurn) => Promise<Plan>> {
  const { shopOrigin, deadline = 5_000, program = planProgram } = options;

  let thread: Worker | undefined;

  async function start(): Promise<Worker> {
    const cache = getCompileCacheDir();
    const worker = new Worker(program, {
      workerData: shopOrigin,
      // Passes the compile cache on, which a thread does not inherit. It needs no other variable.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMebibytes },
    });
    worker.unref();
    // `once` rejects with an error event, and without a listener the event would end the process.
    worker.on("error", () => undefined);
    worker.once("exit", () => {
      if (thread === worker) thread = undefined;
      worker.emit("error", new Error("the planning thread has ended"));
    });
    await once(worker, "message");
    return worker;
  }

  thread = await start();
  let last: Promise<unknown> = Promise.resolve();

  async function plan(turn: AgentTurn): Promise<Plan> {
    thread ??= await start();
    const worker = thread;
    worker.postMessage(turn);
    const signal = AbortSignal.timeout(deadline);
    const [planned] = await once(worker, "message", { signal }).catch(async (error: unknown) => {
      // A busy thread reads no messages, so it is terminated.
      await worker.terminate();
      throw new Error(`no answer was planned: ${error instanceof Error ? error.message : "unknown"}`);
    });
    return planned;
  }

  return (turn) => {
    const planned = last.then(() => plan(turn));
    // The caller handles a failure. The next plan only waits until this one has ended.
    last = planned.catch(() => undefined);
    return planned;
  };
}
