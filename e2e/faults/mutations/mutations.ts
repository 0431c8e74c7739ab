/**
 * Mutations that each switch off one mechanism by one line, which the harness must detect. The sources have
 * no such switches: `rewrite.ts` changes the line when the module is loaded.
 */
import type { LayoutName } from "../harness/layout.ts";

export interface Rewrite {
  /** Relative to the repository root. */
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
}

export interface Mutation {
  /** The broken behaviour. */
  what: string;
  layout: LayoutName;
  rewrites: readonly Rewrite[];
}

const unsteadyAgent: Rewrite = {
  file: "channel/turns/ask-agent.ts",
  find: "  const events = agent.reply(turn, signal)[Symbol.asyncIterator]();",
  replace: `  const { unsteady } = await import("../../e2e/faults/mutations/unsteady-agent.ts");
  const events = unsteady(agent.reply(turn, signal))[Symbol.asyncIterator]();`,
};

/** Shortens the lease, so that a suspended process loses its turns within seconds. */
const shortLease: readonly Rewrite[] = [
  { file: "channel/channel-limits.ts", find: "  lease: 30 * second,", replace: "  lease: 4 * second," },
  {
    file: "channel/channel-limits.ts",
    find: "  leaseRenewal: 10 * second,",
    replace: "  leaseRenewal: 1 * second,",
  },
];

export const mutations: Readonly<Record<string, Mutation>> = {
  none: {
    what: "nothing: an unsteady agent, a short lease",
    layout: "many",
    rewrites: [unsteadyAgent, ...shortLease],
  },
  "fence-finish": {
    what: "any attempt can finish a turn, not only the one that holds its claim",
    layout: "many",
    rewrites: [
      unsteadyAgent,
      ...shortLease,
      {
        file: "channel/turns/turn-store.ts",
        find: `where operations.id = \${finish.operationId} and fence = \${finish.fence}::integer and state = 'running'`,
        replace: `where operations.id = \${finish.operationId} and \${finish.fence}::integer is not null`,
      },
    ],
  },
  "fence-deltas": {
    what: "an attempt that lost its turn continues to store its stream",
    layout: "many",
    rewrites: [
      unsteadyAgent,
      ...shortLease,
      {
        file: "channel/turns/turn-store.ts",
        find: `where id = \${attempt.operationId} and fence = \${attempt.fence} and state = 'running'\n      for share`,
        replace: `where id = \${attempt.operationId}`,
      },
    ],
  },
  "bff-key": {
    what: "the BFF makes a new key for each request instead of deriving it from the browser's",
    layout: "one",
    rewrites: [
      {
        file: "lib/bff/chats/idempotency.ts",
        find: '["v1", userId, operation, chatId, browserKey].join("\\n")',
        replace: '["v1", userId, operation, chatId, browserKey, crypto.randomUUID()].join("\\n")',
      },
    ],
  },
  "browser-key": {
    what: "the browser makes a new key for each attempt",
    layout: "one",
    rewrites: [
      {
        file: "lib/engine/delivery/deliver-message.ts",
        find: "    idempotencyKey: record.key,",
        replace: "    idempotencyKey: newKey(),",
      },
    ],
  },
  "prefix-check": {
    what: "a resumed stream continues after the shown text, even if its beginning differs",
    layout: "many",
    rewrites: [
      unsteadyAgent,
      ...shortLease,
      {
        file: "lib/chat-client/reply-text.ts",
        find: "    else if (this.#start === undefined || this.#shown.has(text, overlap, this.#repeatedLength)) {",
        replace: "    else if (this.#start !== undefined) {",
      },
    ],
  },
  outbox: {
    what: "a message leaves the outbox when it is sent instead of when its outcome is known",
    layout: "one",
    rewrites: [
      {
        file: "lib/engine/delivery/deliver-message.ts",
        find: "  deps.outbox.update(record.key, { attempted: true, pause: null });",
        replace: "  deps.outbox.remove(record.key);",
      },
    ],
  },
};
