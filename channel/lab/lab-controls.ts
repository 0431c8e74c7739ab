/** The lab's controls, shared by its API and the console's page. */
import type { z } from "zod";
import type { ChannelLimits } from "../channel-limits.ts";
import type { Database } from "../db/database.ts";
import type { Admissions } from "../settings/rate-limit.ts";
import type { SettingsStore } from "../settings/settings.ts";
import { addFault, clearFaults, type Fault, listFaults } from "./fault-store.ts";
import type { ChannelBody, FaultBody, LimitsBody } from "./lab-requests.ts";

export interface LabControlDeps {
  database: Database;
  channelKey: string;
  settings: SettingsStore;
  admissions: Admissions;
  /** Runs every job until nothing is due. */
  runJobs: () => Promise<void>;
}

export interface LabState {
  now: Date;
  published: boolean;
  suspended: boolean;
  limits: ChannelLimits;
  faults: readonly Fault[];
}

export type LabControls = ReturnType<typeof createLabControls>;

export function createLabControls(deps: LabControlDeps) {
  const { database, channelKey, settings } = deps;
  return {
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
      const given = Object.entries(change).filter(([, limit]) => limit !== undefined);
      const { limits } = await settings.change({
        limits: { ...limitOverrides, ...Object.fromEntries(given) },
      });
      await deps.admissions.restart();
      return limits;
    },
    addFault: (fault: FaultBody) => addFault(database.sql, channelKey, fault),
    clearFaults: () => clearFaults(database.sql, channelKey),
  };
}
