/**
 * The database of the real channels: one PGlite in memory, which answers inside the step that asks it. Its
 * clock is the virtual one. A transaction is one step: the statements of two transactions are never mixed.
 */
import { PGlite } from "@electric-sql/pglite";
import { asc, getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pglite";
import { toChat } from "../../channel/chats/chat-store.ts";
import { emptyCollection, readCollection } from "../../channel/collections/collection-state.ts";
import { type Database, type Sql, withRetries } from "../../channel/db/database.ts";
import { prepared } from "../../channel/db/prepared-pglite.ts";
import * as schema from "../../channel/db/schema.ts";
import { toFile } from "../../channel/files/file-store.ts";
import { toMessage } from "../../channel/messages/message-store.ts";
import { openTemplate } from "../../channel/testing/pglite-template.ts";
import type { Random } from "../faults/harness/random.ts";
import type { ChatFacts } from "./chat-api.ts";
import type { Actor, Scheduler } from "./scheduler.ts";
import { withoutTimers } from "./virtual-time.ts";

type Query = ReturnType<typeof prepared>["query"];

/** A process, as the database knows it. */
export interface Client {
  readonly actor: Actor;
  owner: number;
  listeners: Set<(name: string) => void>;
}

/** A statement that changes what the invariants look at. */
const changesChats = /(?:insert into|update|delete from)\s+"?(?:chats|messages|files|collections)\b/i;
const tables = Object.values(schema).map(getTableName).join();

export type SimulatedDatabase = Awaited<ReturnType<typeof openSimulatedDatabase>>;

export async function openSimulatedDatabase() {
  const startParams = [...PGlite.defaultStartParams, "-c", "log_startup_progress_interval=0"];
  const engine = await openTemplate({ startParams });
  // Its statistics have a timer, which would outlast an episode.
  const execute = engine.execProtocolRawSync.bind(engine);
  engine.execProtocolRawSync = (message) => withoutTimers(() => execute(message));
  const direct = prepared(engine);
  const sql = drizzleOn(direct);
  let hasChanged = false;

  function drizzleOn(connection: object): Sql {
    // Drizzle's type requires the class, but Drizzle calls only `query` and `transaction`.
    return drizzle(connection as PGlite, { casing: "snake_case" });
  }

  return {
    /** Empties the tables before an episode. */
    empty: () => engine.exec(`truncate ${tables}`),

    /** All chats, if they have changed since. */
    async readChanged(): Promise<Map<string, ChatFacts & { latestOfferId: string | null }> | null> {
      if (!hasChanged) return null;
      hasChanged = false;
      const { chats, collections, files, messages } = schema;
      const rows = {
        chats: await sql.select().from(chats).orderBy(asc(chats.createdAt), asc(chats.id)),
        messages: await sql.select().from(messages).orderBy(asc(messages.sequence)),
        files: await sql.select().from(files),
        collections: await sql.select().from(collections),
      };
      const entries = rows.chats.map((row) => {
        const isOwn = ({ chatId }: { chatId: string }) => chatId === row.id;
        const { values } = readCollection(rows.collections.find(isOwn)?.state ?? emptyCollection);
        const facts = {
          chat: toChat(row),
          latestOfferId: row.latestOfferId,
          turn: row.activeOperationId,
          messages: rows.messages.filter(isOwn).map(toMessage),
          files: new Map(rows.files.filter(isOwn).map((file) => [file.id, { file: toFile(file) }])),
          details: { values: new Map(values.map((value) => [value.fieldId, value])) },
        };
        return [row.id, facts] as const;
      });
      return new Map(entries);
    },

    /** The connection of one of the processes. A statement of a dead one is not answered. */
    connect(client: Client, clients: ReadonlySet<Client>, scheduler: Scheduler, random: Random): Database {
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
          hasChanged ||= changesChats.test(text);
          return query(text, ...rest);
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
        aliveOwners: async () => [...clients].map((other) => other.owner),
        notify: (name) =>
          send(async () => {
            // One may be lost.
            for (const other of clients)
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
