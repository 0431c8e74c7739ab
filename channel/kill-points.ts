/** Points at which a test can kill the process: `CHANNEL_KILL_AT=between-deltas:3`, at the third delta. */
const killPoints = [
  "before-claim",
  "after-claim",
  /** The point after the stream's `start` event. */
  "after-start",
  "between-deltas",
  "before-finish",
  /** The reply is committed, but `done` is not sent. */
  "after-finish",
  /** Half of the `done` event has been sent. */
  "inside-done",
  "inside-upload",
  "inside-submission",
  /** First visit: before the handoff commits. Second visit: during the outbox's delivery. */
  "around-handoff",
  "while-recovering",
  "inside-sweep",
] as const;

export type KillPoint = (typeof killPoints)[number];

/** Called at each point. Does nothing unless `CHANNEL_KILL_AT` names the point. */
export interface ReachKillPoint {
  (point: KillPoint): void;
  /** The point that kills the process, for code that has to prepare for it. */
  armed?: KillPoint;
}

export const neverKilled: ReachKillPoint = () => undefined;

/** A point, and optionally the number of the visit that kills the process: `between-deltas:3`. */
export const killPointPattern = new RegExp(`^(?:${killPoints.join("|")})(?::[1-9][0-9]*)?$`);

/** `killPoint` matches `killPointPattern`. */
export function killAt(killPoint: string | undefined): ReachKillPoint {
  const [name, count = "1"] = killPoint?.split(":") ?? [];
  const point = killPoints.find((known) => known === name);
  if (point === undefined) return neverKilled;
  let remaining = Number(count);
  const reach: ReachKillPoint = (reached) => {
    if (reached !== point) return;
    remaining -= 1;
    if (remaining === 0) process.kill(process.pid, "SIGKILL");
  };
  reach.armed = point;
  return reach;
}
