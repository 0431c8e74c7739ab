/**
 * Replaces the process's timers, clocks and random numbers by those of the running episode, for good. It has
 * to be imported before the product. Between episodes the real ones apply.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import promises from "node:timers/promises";
import type { Random } from "./random.ts";
import type { Entry, Scheduler } from "./scheduler.ts";

interface Running {
  scheduler: Scheduler;
  random: Random;
}

let running: Running | null = null;
/** Calls of the platform whose results arrive from outside the event loop. */
let outstanding = 0;

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  performanceNow: performance.now.bind(performance),
  mathRandom: Math.random,
  pause: promises.setTimeout,
  abortAny: AbortSignal.any.bind(AbortSignal),
  abortTimeout: AbortSignal.timeout.bind(AbortSignal),
  randomBytes: crypto.randomBytes,
  randomUUID: crypto.randomUUID,
  getRandomValues: globalThis.crypto.getRandomValues.bind(globalThis.crypto),
};

/** Real time, for how long a run may take. */
export const realNow = real.performanceNow;

/** The releases of registries, run at an episode's end in place of the collection of garbage. */
const releases: (() => void)[] = [];

export function enterEpisode(next: Running | null): void {
  running = next;
  if (next === null) for (const release of releases.splice(0)) release();
}

/** Resolves when nothing is left to run but timers. */
export async function drain(): Promise<void> {
  do await new Promise<void>((resolve) => real.setImmediate(resolve));
  while (outstanding > 0);
}

/** A timer as Node returns it. */
class VirtualTimer {
  entry: Entry | null = null;
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

let isMuted = false;

/** A timer that this sets never fires. */
export function withoutTimers<T>(run: () => T): T {
  isMuted = true;
  try {
    return run();
  } finally {
    isMuted = false;
  }
}

type Callback = (...args: unknown[]) => void;

function virtualTimeout(act: Callback, delay = 0, ...args: unknown[]): unknown {
  if (isMuted) return 0;
  if (running === null) return real.setTimeout(act, delay, ...args);
  const { scheduler } = running;
  const timer = new VirtualTimer();
  timer.entry = scheduler.schedule(scheduler.current(), Number(delay) || 0, null, () => act(...args), {
    isTimer: true,
  });
  return timer;
}

function virtualInterval(act: Callback, delay = 0, ...args: unknown[]): unknown {
  if (running === null) return real.setInterval(act, delay, ...args);
  const { scheduler } = running;
  const actor = scheduler.current();
  const timer = new VirtualTimer();
  const start = () => {
    timer.entry = scheduler.schedule(actor, Math.max(1, Number(delay) || 0), null, tick, { isTimer: true });
  };
  const tick = () => {
    start();
    act(...args);
  };
  start();
  return timer;
}

function clear(timer: unknown): void {
  if (timer instanceof VirtualTimer) {
    if (timer.entry !== null) timer.entry.isCancelled = true;
  } else real.clearTimeout(timer as NodeJS.Timeout);
}

function virtualPause<T>(
  delay?: number,
  value?: T,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<T> {
  if (running === null) return real.pause(delay, value, options);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const { signal } = options;
  const stop = () => {
    clear(timer);
    reject(new DOMException("The operation was aborted.", "AbortError"));
  };
  const timer = virtualTimeout(() => {
    signal?.removeEventListener("abort", stop);
    resolve(value as T);
  }, delay);
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  return promise;
}

class VirtualDate extends real.Date {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(VirtualDate.now());
    else super(...(args as [number]));
  }

  static override now(): number {
    return running === null ? real.Date.now() : Math.floor(running.scheduler.clock());
  }
}

function fill(bytes: Uint8Array): void {
  if (running === null) {
    real.getRandomValues(bytes);
    return;
  }
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = running.random.between(0, 255);
}

function randomBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  fill(bytes);
  return bytes;
}

function randomUUID(): string {
  const hex = randomBytes(16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Results arrive in the order of the calls, whichever thread is the first to end. */
let before: Promise<unknown> = Promise.resolve();

function counted<T>(result: Promise<T>): Promise<T> {
  outstanding += 1;
  const earlier = before;
  const mine = (async () => {
    const ended = await Promise.allSettled([result, earlier]).then(([own]) => own);
    // Not before what follows has begun: it may call the platform again.
    real.setImmediate(() => {
      outstanding -= 1;
    });
    if (ended.status === "rejected") throw ended.reason;
    return ended.value;
  })();
  before = mine.catch(() => undefined);
  return mine;
}

/** Releases at the episode's end, not when an object is collected: no seed decides when that is. */
class EpisodeRegistry<T> {
  readonly #release: (held: T) => void;

  constructor(release: (held: T) => void) {
    this.#release = release;
  }

  register(_target: object, held: T): void {
    releases.push(() => this.#release(held));
  }

  unregister(): boolean {
    return false;
  }
}

/** Keeps its object: undici would pass no abort on once a request is collected. */
class StrongRef<T> {
  readonly #target: T;

  constructor(target: T) {
    this.#target = target;
  }

  deref(): T {
    return this.#target;
  }
}

/** Replaces a method whose promise is settled from outside the event loop. */
function count(owner: object, name: string): void {
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== "function") return;
  Object.defineProperty(owner, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...args: unknown[]) {
      const result: Promise<unknown> = Reflect.apply(method, this, args);
      return running === null ? result : counted(result);
    },
  });
}

function install(): void {
  Object.assign(globalThis, {
    setTimeout: virtualTimeout,
    clearTimeout: clear,
    setInterval: virtualInterval,
    clearInterval: clear,
    Date: VirtualDate,
    FinalizationRegistry: EpisodeRegistry,
    WeakRef: StrongRef,
  });
  Object.defineProperty(performance, "now", {
    value: () => (running === null ? real.performanceNow() : running.scheduler.now()),
  });
  Math.random = () => (running === null ? real.mathRandom() : running.random.next());
  AbortSignal.timeout = (milliseconds) => {
    if (running === null) return real.abortTimeout(milliseconds);
    const controller = new AbortController();
    const { scheduler } = running;
    // Unlike a timer, it cannot be cleared.
    scheduler.schedule(scheduler.current(), milliseconds, "a request's time is up", () =>
      controller.abort(new DOMException("The time is up.", "TimeoutError")),
    );
    return controller.signal;
  };
  // Node keeps its own combined signals for good while they have a listener, and with them the episode.
  AbortSignal.any = (signals) => {
    if (running === null) return real.abortAny(signals);
    const controller = new AbortController();
    for (const signal of signals) {
      const abort = () => controller.abort(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    }
    return controller.signal;
  };
  const web = globalThis.crypto;
  Object.defineProperty(web, "getRandomValues", {
    value<T extends Uint8Array>(bytes: T): T {
      fill(bytes);
      return bytes;
    },
  });
  Object.defineProperty(web, "randomUUID", { value: randomUUID });
  Object.assign(crypto, { randomBytes, randomUUID });
  promises.setTimeout = virtualPause;
  syncBuiltinESMExports();
  const subtle = Object.getPrototypeOf(web.subtle);
  for (const name of Object.getOwnPropertyNames(subtle)) if (name !== "constructor") count(subtle, name);
  for (const name of ["arrayBuffer", "text", "bytes"]) count(Blob.prototype, name);
}

install();
