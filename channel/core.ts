import type { Clock } from "./clock.ts";
import type { Database } from "./db/database.ts";
import type { ReachKillPoint } from "./kill-points.ts";
import type { ReportError } from "./report-error.ts";

/** The parts of a channel that most of its functions work on. Each takes those that it needs. */
export interface Core {
  database: Database;
  channelKey: string;
  clock: Clock;
  reach: ReachKillPoint;
  report: ReportError;
}
