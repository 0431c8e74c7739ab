/** Fills a channel with its seed, and returns it to its start. */
import { eq } from "drizzle-orm";
import type { Clock } from "../clock.ts";
import type { Database, Sql } from "../db/database.ts";
import { channels, chatCounts, chats, keyTombstones, labReplies, rateBuckets } from "../db/schema.ts";
import type { RotatingCredential } from "../http/credentials.ts";
import type { Admissions } from "../settings/rate-limit.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { importChat } from "./import-chat.ts";
import type { LabMemory } from "./lab-memory.ts";
import type { SeedBody } from "./lab-requests.ts";

export interface LabControlDeps {
  database: Database;
  channelKey: string;
  settings: SettingsStore;
  admissions: Admissions;
  clock: Clock;
  engine: TurnEngine;
  memory: LabMemory;
  chatKey: RotatingCredential;
  /** The chat key of the start, to which a reset returns. */
  firstChatKey: string;
  /** The chats of a new or reset channel. */
  seed: SeedBody;
}

export type LabControls = ReturnType<typeof createLabControls>;

export function createLabControls(deps: LabControlDeps) {
  const { database, channelKey, settings } = deps;

  async function importChats({ chats }: SeedBody) {
    const imported = [];
    for (const chat of chats) imported.push((await importChat(deps, chat)).chat);
    return imported;
  }

  return {
    importChats,
    /** Returns the channel to its start: no chats but the seed's, no faults, every setting at its default. */
    async reset() {
      // Reads the keys, which the channel keeps.
      await settings.refresh();
      await deps.engine.abandonAll();
      await database.transaction(async (tx) => {
        await deleteRows(tx, channelKey);
        await settings.recreate(tx);
      });
      settings.restoreLimits();
      await settings.refresh();
      await deps.admissions.restart();
      deps.chatKey.rotate(deps.firstChatKey);
      deps.memory.clear();
      await importChats(deps.seed);
    },
  };
}

/** Deletes the channel. Most of its rows belong to a chat and are deleted with it. */
export async function deleteRows(tx: Sql, channelKey: string): Promise<void> {
  // Waits for chats that are being created, so that the channel has none left when its row is deleted.
  await tx.select().from(channels).where(eq(channels.key, channelKey)).for("update");
  for (const table of [chats, chatCounts, keyTombstones, labReplies, rateBuckets])
    await tx.delete(table).where(eq(table.channelKey, channelKey));
  await tx.delete(channels).where(eq(channels.key, channelKey));
}
