/**
 * The rules of the real channel's tables and processes, whatever the customers see. The names are those of
 * docs/promises.md, whose numbers they carry.
 *
 * A new rule is a row of `rules`: `change` compares the tables before and after a transaction, `step` looks
 * at them after each step. Both return what is wrong, or null.
 */
import type { Tables } from "./real-database.ts";
import type { Violation } from "./world.ts";

/** A process, from its connection to the database to its end. */
export interface ProcessFacts {
  readonly owner: number;
  /** The time since when it listens without a suspension; null while it does not run, and while it stops. */
  runsSince: number | null;
  /** When it received SIGTERM. */
  stopsSince: number | null;
}

export interface Facts {
  now: number;
  /** Milliseconds that the clocks of the processes and of their database show too much. */
  clockOffset: number;
  /** The processes that are alive, by their number. */
  processes: ReadonlyMap<number, ProcessFacts>;
  /** When the others ended, and whether they ended by themselves. */
  ended: ReadonlyMap<number, { at: number; isExit: boolean }>;
  /** The team has been told of these notices. */
  told: ReadonlySet<string>;
  /** The process that last ran the agent for an operation, and since when it has not. */
  answering: ReadonlyMap<string, { owner: number; endedAt: number | null }>;
  /** When each running turn was begun or taken over. */
  takenAt: ReadonlyMap<string, number>;
}

type Operation = Tables["operations"][number];

interface Rule {
  change?(before: Tables, after: Tables, facts: Facts): string | null;
  step?(tables: Tables, facts: Facts): string | null;
}

/** Attempts that a turn may have. */
const mostAttempts = 3;
/** A process that runs for this long looks for turns that nobody answers several times. */
const reaction = 5_000;
const longestStop = 15_000;

const isRunning = ({ state }: Operation) => state === "running";

function firstOf<T>(all: Iterable<T>, find: (one: T) => string | null): string | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

/** Each operation that ran before the transaction, and what it is now. */
function* runningBefore(before: Tables, after: Tables) {
  for (const was of before.operations) {
    if (!isRunning(was)) continue;
    const is = after.operations.find(({ id }) => id === was.id);
    if (is !== undefined) yield { was, is };
  }
}

const rules: Record<string, Rule> = {
  "1 an acknowledged message is never lost": {
    change(before, after) {
      const kept = new Map(after.messages.map((message) => [message.id, message]));
      return firstOf(before.messages, ({ id, text, sequence }) => {
        const is = kept.get(id);
        return is?.text === text && is.sequence === sequence ? null : `message ${id} "${text}" has changed`;
      });
    },
  },

  "4 a running reply survives: its turn goes on": {
    step: ({ operations }, facts) =>
      firstOf(operations.filter(isRunning), (turn) =>
        isStuck(turn, facts) ? `nobody answers turn ${turn.id} of process ${turn.owner}` : null,
      ),
    change: (before, after, { processes, now }) =>
      firstOf(runningBefore(before, after), ({ was, is }) => {
        const { runsSince } = processes.get(was.owner ?? -1) ?? { runsSince: null };
        const isTaken = is.owner !== null && is.owner !== was.owner;
        if (isTaken && runsSince !== null && runsSince < now - longestStop)
          return `process ${is.owner} takes turn ${is.id} from process ${was.owner}, which runs`;
        if (is.state === "interrupted" && was.attempts < mostAttempts)
          return `turn ${is.id} ends after ${was.attempts} attempts`;
        return is.attempts > mostAttempts ? `turn ${is.id} has ${is.attempts} attempts` : null;
      }),
  },

  "6 a reply follows its own message": {
    change: (_before, { operations, messages }) =>
      firstOf(operations, ({ id, state, messageId, replyId }) => {
        if (state !== "succeeded" || messageId === null || replyId === null) return null;
        const message = messages.find((one) => one.id === messageId);
        const reply = messages.find((one) => one.id === replyId);
        if (message === undefined || reply === undefined) return `operation ${id} has ended without a reply`;
        return reply.sequence === message.sequence + 1
          ? null
          : `the reply to "${message.text}" has place ${reply.sequence}, and the message ${message.sequence}`;
      }),
  },

  "8 one turn at a time in a chat": {
    change: (_before, { chats, operations }) =>
      firstOf(chats, (chat) => {
        const running = operations.filter((one) => one.chatId === chat.id && isRunning(one));
        const ids = running.map(({ id }) => id).join(" and ");
        return ids === (chat.activeOperationId ?? "")
          ? null
          : `${chat.id} has the turn ${chat.activeOperationId}, and ${ids || "none"} runs`;
      }),
  },

  "9 only the current attempt writes": {
    change: (before, after, facts) =>
      firstOf(runningBefore(before, after), ({ was, is }) => wrongWrite(was, is, after.writer, facts)),
  },

  "11 the team is told of each handoff": {
    change(before, after, { told }) {
      const due = new Set(after.notices.map(({ id }) => id));
      const lost = before.notices.find(({ id }) => !due.has(id) && !told.has(id));
      if (lost !== undefined) return `notice ${lost.id} is removed, and the team was not told`;
      const waiting = new Set(before.chats.flatMap(({ id, mode }) => (mode === "waiting" ? [id] : [])));
      const untold = after.chats.find(
        ({ id, mode }) =>
          mode === "waiting" && !waiting.has(id) && !after.notices.some(({ chatId }) => chatId === id),
      );
      return untold === undefined ? null : `${untold.id} waits for the team without a notice`;
    },
  },

  "14 a channel that stops gives its turns back in time": {
    step({ operations }, { now, processes, ended }) {
      const kept = operations.find((one) => isRunning(one) && ended.get(one.owner ?? -1)?.isExit === true);
      if (kept !== undefined) return `process ${kept.owner} has exited with turn ${kept.id}`;
      return firstOf(processes.values(), ({ owner, stopsSince }) =>
        stopsSince !== null && now - stopsSince > longestStop
          ? `process ${owner} has not exited in ${longestStop} ms`
          : null,
      );
    },
  },
};

/** True if a process that can has not gone on with the turn in time. */
function isStuck({ id, owner, leaseUntil }: Operation, facts: Facts): boolean {
  const { now, clockOffset, processes, ended, answering, takenAt } = facts;
  const since = (...times: (number | null | undefined)[]) =>
    now - Math.max(...times.map((time) => time ?? now)) > reaction;
  const taken = takenAt.get(id);
  const own = processes.get(owner ?? -1);
  if (own !== undefined && own.runsSince !== null) {
    const agent = answering.get(id);
    return since(own.runsSince, taken, agent?.owner === owner ? agent.endedAt : taken);
  }
  // Another process takes it over, at the end of its lease if its own is suspended.
  const free = own === undefined ? (ended.get(owner ?? -1)?.at ?? taken) : Number(leaseUntil) - clockOffset;
  return [...processes.values()].some(({ runsSince }) => since(runsSince, taken, free));
}

/** Describes what is wrong about a transaction of this process that has changed a running turn. */
function wrongWrite(was: Operation, is: Operation, writer: number, facts: Facts): string | null {
  const says = `process ${writer} has changed turn ${is.id} of process ${was.owner}`;
  if (is.state === "succeeded")
    return is.fence === was.fence && (was.owner === null || was.owner === writer) ? null : `${says}: its end`;
  if (!isRunning(is)) return null;
  if (is.owner === null && was.owner !== null)
    return was.owner === writer && is.attempts === was.attempts - 1 ? null : `${says}: its release`;
  if (is.fence === was.fence && is.owner === was.owner && is.attempts === was.attempts) return null;
  const isFree =
    was.owner === null ||
    was.owner === writer ||
    !facts.processes.has(was.owner) ||
    Number(was.leaseUntil) - facts.clockOffset <= facts.now;
  const isNext = is.fence === was.fence + 1 && is.attempts === was.attempts + 1 && is.owner === writer;
  return isFree && isNext ? null : `${says}: attempt ${is.attempts} with fence ${is.fence}`;
}

/** Looks at the tables, if they have changed, and at the processes, after each step. */
export function createRules() {
  let tables: Tables | null = null;
  const takenAt = new Map<string, number>();
  return {
    look(changed: Tables | null, given: Omit<Facts, "takenAt">): Violation | null {
      const facts = { ...given, takenAt };
      const before = tables;
      tables = changed ?? tables;
      if (changed !== null)
        for (const { id, fence, owner } of changed.operations) {
          const was = before?.operations.find((one) => one.id === id);
          if (was?.fence !== fence || was.owner !== owner) takenAt.set(id, facts.now);
        }
      for (const [invariant, { change, step }] of Object.entries(rules)) {
        const isComparable = changed !== null && before !== null;
        const what =
          (isComparable ? change?.(before, changed, facts) : null) ??
          (tables === null ? null : step?.(tables, facts)) ??
          null;
        if (what !== null) return { invariant, what };
      }
      return null;
    },
  };
}
