/** Fills a channel with its seed, and returns it to its start. */
import { eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import type { Sql } from "../db/database.ts";
import { channels, chatCounts, chats, keyTombstones, labReplies, rateBuckets } from "../db/schema.ts";
import type { RotatingCredential } from "../http/credentials.ts";
import type { Admissions } from "../settings/rate-limit.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { importChat } from "./import-chat.ts";
import type { LabMemory } from "./lab-memory.ts";
import type { SeedBody } from "./lab-requests.ts";

export interface LabControlDeps extends Pick<Core, "database" | "channelKey" | "clock"> {
  settings: SettingsStore;
  admissions: Admissions;
  engine: TurnEngine;
  memory: LabMemory;
  chatKey: RotatingCredential;
  /** The chat key of the start, to which a reset returns. */
  firstChatKey: string;
  /** The chats of a new or reset channel. */
  seed: SeedBody;
}

/** Imports the chats. Those that exist stay as they are. */
export async function importChats(deps: Parameters<typeof importChat>[0], { chats }: SeedBody) {
  const imported = [];
  for (const chat of chats) imported.push(await importChat(deps, chat));
  return imported;
}

/** Returns the channel to its start: no chats but the seed's, no faults, every setting at its default. */
export async function resetChannel(deps: LabControlDeps): Promise<void> {
  const { database, channelKey, settings } = deps;
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
  await importChats(deps, deps.seed);
}

/** Deletes the channel. Most of its rows belong to a chat and are deleted with it. */
export async function deleteRows(tx: Sql, channelKey: string): Promise<void> {
  // Waits for chats that are being created, so that the channel has none left when its row is deleted.
  await tx.select().from(channels).where(eq(channels.key, channelKey)).for("update");
  for (const table of [chats, chatCounts, keyTombstones, labReplies, rateBuckets])
    await tx.delete(table).where(eq(table.channelKey, channelKey));
  await tx.delete(channels).where(eq(channels.key, channelKey));
}
