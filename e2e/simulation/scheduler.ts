/**
 * Virtual time, and everything that will happen in it. A step runs one entry: a timer of the product, a
 * delivered message or an action. Entries that are due at the same time are ready together, and the seed
 * chooses among them.
 */
import type { Random } from "./random.ts";

/** Whose code an entry runs: a tab, a server, the network. */
export interface Actor {
  readonly name: string;
  /** How far this actor's clock is ahead, in milliseconds. */
  clockOffset: number;
  /** A frozen actor runs nothing: its entries wait in `parked`. */
  isFrozen: boolean;
  /** A dead actor never runs again: its entries are dropped. */
  isDead: boolean;
  parked: Entry[];
  /** Ends each of its connections. The code of a dead actor is not told. */
  connections: Set<(isDead: boolean) => void>;
  /** Called when the actor ends. */
  onDeath: Set<() => void>;
}

export interface Entry {
  at: number;
  order: number;
  actor: Actor;
  /** The step's line in the history. Timers of the product have none. */
  says: string | null;
  /** Returns the sentence if it is not known before. */
  run: () => unknown;
  isCancelled: boolean;
  /** A timer that the product has set. */
  isTimer: boolean;
  lane: Lane | undefined;
}

/** Messages that arrive in the order in which they were sent: a connection, a channel between two tabs. */
export interface Lane {
  at: number;
  /** The messages under way. */
  waiting: Entry[];
}

export const newLane = (): Lane => ({ at: 0, waiting: [] });

export function createActor(name: string, clockOffset = 0): Actor {
  return {
    name,
    clockOffset,
    isFrozen: false,
    isDead: false,
    parked: [],
    connections: new Set(),
    onDeath: new Set(),
  };
}

export type Scheduler = ReturnType<typeof createScheduler>;
/** The part that browsers, tabs and pages need, in virtual time or in real time (`e2e/faults`). */
export type PageScheduler = Pick<Scheduler, "schedule" | "now" | "become" | "kill">;

/** The actor never runs again. */
export function kill(actor: Actor): void {
  actor.isDead = true;
  actor.parked = [];
  for (const end of [...actor.connections]) end(true);
  for (const tell of [...actor.onDeath]) tell();
  actor.onDeath.clear();
}

/** The least time between two messages of a lane. */
const laneGap = 0.001;

export function createScheduler(random: Random, start: number) {
  const heap: Entry[] = [];
  let ready: Entry[] = [];
  let order = 0;
  let now = start;
  let steps = 0;
  let current = createActor("nobody");

  const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);

  function push(entry: Entry): void {
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  function pop(): Entry | undefined {
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const left = heap[child];
      if (left === undefined) break;
      const right = heap[child + 1];
      let least = left;
      if (right !== undefined && isBefore(right, left)) {
        least = right;
        child += 1;
      }
      if (!isBefore(least, last)) break;
      heap[index] = least;
      index = child;
    }
    heap[index] = last;
    return top;
  }

  function schedule(
    actor: Actor,
    delay: number,
    says: string | null,
    run: () => unknown,
    { lane, isTimer = false }: { lane?: Lane; isTimer?: boolean } = {},
  ): Entry {
    let at = now + Math.max(0, delay);
    if (lane !== undefined) {
      at = Math.max(at, lane.at + laneGap);
      lane.at = at;
    }
    order += 1;
    const entry: Entry = { at, order, actor, says, run, isCancelled: false, isTimer, lane };
    lane?.waiting.push(entry);
    push(entry);
    return entry;
  }

  /** The next entry that may run. Time moves on to it. */
  function take(until: number): Entry | null {
    for (;;) {
      for (let top = heap[0]; top !== undefined && top.at <= now; top = heap[0]) {
        ready.push(top);
        pop();
      }
      if (ready.length > 0) {
        const index = ready.length === 1 ? 0 : random.between(0, ready.length - 1);
        const [entry] = ready.splice(index, 1);
        if (entry === undefined || entry.isCancelled || entry.actor.isDead) continue;
        if (!entry.actor.isFrozen) return entry;
        entry.actor.parked.push(entry);
        continue;
      }
      const next = heap[0];
      if (next === undefined || next.at > until) return null;
      now = next.at;
    }
  }

  return {
    schedule,
    /** Runs one entry that is due before `until`. Returns its line of the history; null if there is none. */
    step(until: number): string | null {
      const due = take(until);
      if (due === null) {
        now = Math.max(now, until);
        return null;
      }
      // Those that a frozen actor has not received wait for the same moment.
      const entry = due.lane?.waiting.shift() ?? due;
      steps += 1;
      current = entry.actor;
      const said = entry.run();
      const says = typeof said === "string" ? said : (entry.says ?? "timer");
      return `${((now - start) / 1000).toFixed(3)} ${entry.actor.name}: ${says}`;
    },
    now: () => now,
    steps: () => steps,
    /** Whose code runs. */
    current: () => current,
    clock: () => now + current.clockOffset,
    /** Makes this actor the one whose code runs until the step ends. */
    become(actor: Actor) {
      current = actor;
    },
    kill,
    /** The actor runs again: what it has missed comes after this time. */
    thaw(actor: Actor, delay = 0) {
      actor.isFrozen = false;
      for (const entry of actor.parked.splice(0)) push(Object.assign(entry, { at: now + delay }));
    },
    /** The timers that this actor has set and that are still to fire. */
    timersOf: (actor: Actor) =>
      [...heap, ...ready, ...actor.parked].filter(
        (entry) => entry.actor === actor && entry.isTimer && !entry.isCancelled,
      ).length,
    clear() {
      heap.length = 0;
      ready = [];
    },
  };
}
