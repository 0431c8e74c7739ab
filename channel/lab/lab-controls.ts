/** The lab's controls, shared by its API and the console's page. */
import type { z } from "zod";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Clock } from "../clock.ts";
import type { Database, Sql } from "../db/database.ts";
import type { RotatingCredential } from "../http/credentials.ts";
import type { RequestHistory } from "../http/request-history.ts";
import type { Admissions } from "../settings/rate-limit.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { deleteRows, readSnapshot, type Snapshot, writeSnapshot } from "./channel-rows.ts";
import { addFault, clearFaults, listFaults } from "./fault-store.ts";
import { importChat } from "./import-chat.ts";
import type { ChannelBody, FaultBody, LimitsBody, SeedBody } from "./lab-requests.ts";

export interface LabControlDeps {
  database: Database;
  channelKey: string;
  settings: SettingsStore;
  admissions: Admissions;
  clock: Clock;
  engine: TurnEngine;
  history: RequestHistory;
  chatKey: RotatingCredential;
  /** The chat key of the start, to which a reset returns. */
  firstChatKey: string;
  /** The chats of a new or reset channel. */
  seed: SeedBody;
  /** Runs every job until nothing is due. */
  runJobs: () => Promise<void>;
}

export type LabControls = ReturnType<typeof createLabControls>;
export type LabState = Awaited<ReturnType<LabControls["read"]>>;

export function createLabControls(deps: LabControlDeps) {
  const { database, channelKey, settings } = deps;

  /** Replaces the channel's rows, and what this process holds of them. */
  async function replace(write: (tx: Sql) => Promise<void>): Promise<void> {
    await deps.engine.abandonAll();
    await database.transaction(write);
    await settings.refresh();
    await deps.admissions.restart();
    deps.chatKey.rotate(deps.firstChatKey);
    deps.history.clear();
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
    snapshot: () => readSnapshot(database, channelKey),
    async restore(snapshot: Snapshot) {
      if (snapshot.channelKey !== channelKey)
        throw new ChatApiError("invalid_request", {
          field: "/channelKey",
          message: `The snapshot is of ${snapshot.channelKey}, and this channel is ${channelKey}.`,
        });
      const { chatKey, teamKey } = await settings.refresh();
      await replace((tx) => writeSnapshot(tx, snapshot, { chat_key: chatKey, team_key: teamKey }));
    },
    async read() {
      const { published, suspended, limits } = await settings.refresh();
      const faults = await listFaults(database.sql, channelKey);
      return { now: settings.clock.now(), published, suspended, limits, faults };
    },
    /** Moves the clock forward and runs the jobs. Returns the new time. */
    async advance(seconds: number) {
      const { clockOffsetMs } = await settings.refresh();
      await settings.change({ clockOffsetMs: clockOffsetMs + Math.round(seconds * 1000) });
      await deps.runJobs();
      return settings.clock.now();
    },
    async setChannel(change: z.output<typeof ChannelBody>) {
      const current = await settings.refresh();
      const { published, suspended } = await settings.change({
        published: change.published ?? current.published,
        suspended: change.suspended ?? current.suspended,
      });
      return { published, suspended };
    },
    async setLimits(change: z.output<typeof LimitsBody>) {
      const { limitOverrides } = await settings.refresh();
      const changes = Object.entries(change).filter(([, limit]) => limit !== undefined);
      const { limits } = await settings.change({
        limits: { ...limitOverrides, ...Object.fromEntries(changes) },
      });
      await deps.admissions.restart();
      return limits;
    },
    addFault: (fault: FaultBody) => addFault(database.sql, channelKey, fault),
    clearFaults: () => clearFaults(database.sql, channelKey),
  };
}
