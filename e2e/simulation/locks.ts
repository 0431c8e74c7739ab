/** Web Locks and broadcast channels between the pages of one browser. */
import { type Actor, newLane, type PageScheduler } from "./scheduler.ts";

type Grant = (lock: Lock | null) => unknown;

interface Waiting {
  page: Actor;
  begin: Grant;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export type LocksState = "usual" | "denied";

export function createLocks(scheduler: PageScheduler) {
  const held = new Map<string, Waiting>();
  const queues = new Map<string, Waiting[]>();

  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    return queue;
  };

  function grantNext(name: string): void {
    if (held.has(name)) return;
    const next = queueOf(name).shift();
    if (next !== undefined) grant(name, next);
  }

  function grant(name: string, request: Waiting): void {
    held.set(name, request);
    scheduler.schedule(request.page, 0, `gets the lock ${name}`, () => {
      if (held.get(name) !== request) return;
      const working = Promise.resolve(request.begin({ name, mode: "exclusive" }));
      const release = () => {
        if (held.get(name) !== request) return;
        held.delete(name);
        grantNext(name);
      };
      working.then(
        (value) => {
          request.resolve(value);
          release();
        },
        (error: unknown) => {
          request.reject(error);
          release();
        },
      );
    });
  }

  function request(
    page: Actor,
    name: string,
    { steal, signal }: LockOptions,
    begin: Grant,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const mine: Waiting = { page, begin, resolve, reject };
      page.onDeath.add(() => drop(name, mine));
      if (steal) {
        const holder = held.get(name);
        held.delete(name);
        if (holder !== undefined)
          scheduler.schedule(holder.page, 0, `loses the lock ${name}`, () =>
            holder.reject(new DOMException("The lock was stolen.", "AbortError")),
          );
        return grant(name, mine);
      }
      queueOf(name).push(mine);
      signal?.addEventListener("abort", () => {
        const queue = queueOf(name);
        const at = queue.indexOf(mine);
        if (at < 0) return;
        queue.splice(at, 1);
        reject(signal.reason);
      });
      grantNext(name);
    });
  }

  function drop(name: string, one: Waiting): void {
    queues.set(
      name,
      queueOf(name).filter((other) => other !== one),
    );
    if (held.get(name) !== one) return;
    held.delete(name);
    grantNext(name);
  }

  return {
    /** The page's `navigator.locks`. */
    of(page: Actor, state: () => LocksState): Pick<LockManager, "request"> {
      const ask = (name: string, ...rest: unknown[]): Promise<unknown> => {
        if (state() === "denied") return Promise.reject(new DOMException("Denied.", "SecurityError"));
        const [options, begin] = (rest.length === 1 ? [{}, rest[0]] : rest) as [LockOptions, Grant];
        return request(page, name, options, begin);
      };
      return { request: ask } as Pick<LockManager, "request">;
    },
  };
}

/** One browser's channels by name. */
export type Channels = Map<string, Set<SimulatedChannel>>;

export class SimulatedChannel extends EventTarget implements BroadcastChannel {
  onmessage = null;
  onmessageerror = null;
  readonly name: string;
  readonly #channels: Channels;
  readonly #scheduler: PageScheduler;
  readonly #page: Actor;
  readonly #delay: () => number;
  readonly #lane = newLane();
  #isClosed = false;

  constructor(name: string, page: Actor, channels: Channels, scheduler: PageScheduler, delay: () => number) {
    super();
    this.name = name;
    this.#page = page;
    this.#channels = channels;
    this.#scheduler = scheduler;
    this.#delay = delay;
    const all = channels.get(name) ?? new Set();
    channels.set(name, all.add(this));
    page.onDeath.add(() => this.close());
  }

  postMessage(message: unknown): void {
    if (this.#isClosed) throw new DOMException("The channel is closed.", "InvalidStateError");
    const data: unknown = structuredClone(message);
    for (const other of this.#channels.get(this.name) ?? []) if (other !== this) other.#receive(data);
  }

  #receive(data: unknown): void {
    this.#scheduler.schedule(
      this.#page,
      this.#delay(),
      "hears another page",
      () => {
        if (!this.#isClosed) this.dispatchEvent(new MessageEvent("message", { data }));
      },
      { lane: this.#lane },
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#channels.get(this.name)?.delete(this);
  }
}
