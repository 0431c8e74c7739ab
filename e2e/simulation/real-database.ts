/**
 * The database of the real channels: one PGlite in memory, which answers inside the step that asks it. Its
 * clock is the virtual one. A transaction is one step: the statements of two transactions are never mixed.
 */
import { PGlite } from "@electric-sql/pglite";
import { asc, getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pglite";
import { type ChatRow, toChat } from "../../channel/chats/chat-store.ts";
import { emptyCollection, readCollection } from "../../channel/collections/collection-state.ts";
import { type Database, type Sql, withRetries } from "../../channel/db/database.ts";
import { prepared } from "../../channel/db/prepared-pglite.ts";
import * as schema from "../../channel/db/schema.ts";
import { toFile } from "../../channel/files/file-store.ts";
import type { OperationRow } from "../../channel/idempotency/ledger.ts";
import { type MessageRow, toMessage } from "../../channel/messages/message-store.ts";
import { openTemplate } from "../../channel/testing/pglite-template.ts";
import type { ChatFacts } from "./chat-api.ts";
import type { Random } from "./random.ts";
import type { Actor, Scheduler } from "./scheduler.ts";
import { withoutTimers } from "./virtual-time.ts";

type Query = ReturnType<typeof prepared>["query"];

/** A process, as the database knows it. */
export interface Client {
  readonly actor: Actor;
  readonly owner: number;
  readonly listeners: Set<(name: string) => void>;
}

/** A statement that may change what the invariants look at. */
const changesTables =
  /(?:insert into|update|delete from)\s+"?(?:chats|messages|files|collections|operations|outbox)\b/i;
const tables = Object.values(schema).map(getTableName).join();

/** All rows that the invariants look at. */
export interface Tables {
  chats: ChatRow[];
  messages: MessageRow[];
  operations: Pick<
    OperationRow,
    | "id"
    | "key"
    | "chatId"
    | "state"
    | "fence"
    | "attempts"
    | "owner"
    | "leaseUntil"
    | "messageId"
    | "replyId"
  >[];
  /** The notices that have not been delivered. */
  notices: { id: string; chatId: string }[];
  /** The process whose transaction was the last one to change them. */
  writer: number;
}

export type SimulatedDatabase = Awaited<ReturnType<typeof openSimulatedDatabase>>;

export async function openSimulatedDatabase() {
  const startParams = [...PGlite.defaultStartParams, "-c", "log_startup_progress_interval=0"];
  const engine = await openTemplate({ startParams });
  // Its statistics have a timer, which would outlast an episode.
  const execute = engine.execProtocolRawSync.bind(engine);
  engine.execProtocolRawSync = (message) => withoutTimers(() => execute(message));
  const direct = prepared(engine);
  const sql = drizzleOn(direct);
  /** The process that has changed something since the tables were read; null if none has. */
  let writer: number | null = null;

  function drizzleOn(connection: object): Sql {
    // Drizzle's type requires the class, but Drizzle calls only `query` and `transaction`.
    return drizzle(connection as PGlite, { casing: "snake_case" });
  }

  return {
    /** Empties the tables before an episode. */
    async empty() {
      writer = null;
      await engine.exec(`truncate ${tables}`);
    },

    /** All chats, and the tables, if they have changed since. */
    async readChanged(): Promise<{ chats: Map<string, ChatFacts>; tables: Tables } | null> {
      if (writer === null) return null;
      const { chats, collections, files, messages, operations, outbox } = schema;
      const { id, key, chatId, state, fence, attempts, owner, leaseUntil, messageId, replyId } = operations;
      const rows = {
        chats: await sql.select().from(chats).orderBy(asc(chats.createdAt), asc(chats.id)),
        messages: await sql.select().from(messages).orderBy(asc(messages.sequence)),
        files: await sql.select().from(files),
        collections: await sql.select().from(collections),
        operations: await sql
          .select({ id, key, chatId, state, fence, attempts, owner, leaseUntil, messageId, replyId })
          .from(operations),
        notices: await sql.select({ id: outbox.id, chatId: outbox.chatId }).from(outbox),
      };
      const entries = rows.chats.map((row) => {
        const isOwn = ({ chatId }: { chatId: string }) => chatId === row.id;
        const { values } = readCollection(rows.collections.find(isOwn)?.state ?? emptyCollection);
        const facts = {
          chat: toChat(row),
          turn: row.activeOperationId,
          messages: rows.messages.filter(isOwn).map(toMessage),
          files: new Map(rows.files.filter(isOwn).map((file) => [file.id, { file: toFile(file) }])),
          details: { values: new Map(values.map((value) => [value.fieldId, value])) },
        };
        return [row.id, facts] as const;
      });
      const changed = { chats: new Map(entries), tables: { ...rows, writer } };
      writer = null;
      return changed;
    },

    /** The connection of one of the processes. A statement of a dead one is not answered. */
    connect(
      client: Client,
      clients: ReadonlyMap<number, Client>,
      scheduler: Scheduler,
      random: Random,
    ): Database {
      const { actor, owner, listeners } = client;
      const moment = (delay: number) =>
        new Promise<void>((resolve) => void scheduler.schedule(actor, delay, "the database", resolve));

      async function send<T>(run: () => Promise<T>): Promise<T> {
        await moment(random.pick([0, 0, 0, 1, 1, 30]));
        const [answer] = await Promise.allSettled([run()]);
        // The process may die before it has the answer, or inside its transaction.
        if (actor.isDead || random.chance(0.1)) await moment(random.pick([0, 1, 30]));
        if (answer.status === "rejected") throw answer.reason;
        return answer.value;
      }
      const noted =
        (query: Query): Query =>
        async (text, ...rest) => {
          // Rolls back.
          if (actor.isDead) throw new Error("The process is gone");
          const results = await query(text, ...rest);
          const hasChanged = results.rows.length + (results.affectedRows ?? 0) > 0;
          if (hasChanged && changesTables.test(text)) writer = owner;
          return results;
        };
      const own = drizzleOn({
        query: (...given: Parameters<Query>) => send(() => noted(direct.query)(...given)),
        transaction: <T>(phase: (tx: { query: Query }) => Promise<T>) =>
          send(() => direct.transaction((tx) => phase({ query: noted(tx.query) }))),
      });
      return {
        sql: own,
        transaction: (phase) => withRetries(() => own.transaction(phase)),
        shared: true,
        owner,
        aliveOwners: async () => [...clients.keys()],
        notify: (name) =>
          send(async () => {
            // One may be lost.
            for (const other of clients.values())
              if (random.chance(0.95))
                scheduler.schedule(other.actor, random.pick([0, 1, 30]), "a notification", () => {
                  for (const listener of [...other.listeners]) listener(name);
                });
          }),
        onNotify(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        close: async () => undefined,
      };
    },
  };
}
