/** Fills a channel with its seed, and returns it to its start or to a snapshot. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Clock } from "../clock.ts";
import type { Database, Sql } from "../db/database.ts";
import type { RotatingCredential } from "../http/credentials.ts";
import type { Admissions } from "../settings/rate-limit.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { deleteRows, type Snapshot, writeSnapshot } from "./channel-rows.ts";
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

  /** Replaces the channel's rows, and what this process holds of them. */
  async function replace(write: (tx: Sql) => Promise<void>): Promise<void> {
    await deps.engine.abandonAll();
    await database.transaction(write);
    settings.restoreLimits();
    await settings.refresh();
    await deps.admissions.restart();
    deps.chatKey.rotate(deps.firstChatKey);
    deps.memory.clear();
  }

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
      await replace(async (tx) => {
        await deleteRows(tx, channelKey);
        await settings.recreate(tx);
      });
      await importChats(deps.seed);
    },
    async restore(snapshot: Snapshot) {
      if (snapshot.channelKey !== channelKey)
        throw new ChatApiError("invalid_request", {
          field: "/channelKey",
          message: `The snapshot is of ${snapshot.channelKey}, and this channel is ${channelKey}.`,
        });
      const { chatKey, teamKey } = await settings.refresh();
      await replace((tx) => writeSnapshot(tx, snapshot, { chat_key: chatKey, team_key: teamKey }));
    },
  };
}
