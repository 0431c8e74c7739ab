/** Places where a test can end the process (`CHANNEL_KILL_AT=K4:3`: at the third time that K4 is reached). */
export const killPoints = {
  K1: "before the claim is committed",
  K2: "after the claim is committed, before the response begins",
  K3: "after `start`",
  K4: "between deltas",
  K5: "before the finish is committed",
  K6: "after the finish is committed, before `done`",
  K7: "inside the `done` event",
  K8: "inside the upload's transaction",
  K9: "inside the collection's transaction",
  K10: "around the handoff's commit and inside the outbox's delivery",
  K11: "while recovering",
  K12: "inside a sweep",
} as const;

export type KillPoint = keyof typeof killPoints;

/** Called at each place. Does nothing in production. */
export interface ReachKillPoint {
  (point: KillPoint): void;
  /** The one place that ends the process, where coming by it takes an effort. */
  armed?: KillPoint;
}

export const neverKilled: ReachKillPoint = () => undefined;

/** `K4:3` and the like (see `readEnvironment`); nothing for undefined. */
export function killAt(place: string | undefined): ReachKillPoint {
  const [point, count = "1"] = place?.split(":") ?? [];
  if (point === undefined || !isKillPoint(point)) return neverKilled;
  let left = Number(count);
  const reach: ReachKillPoint = (reached) => {
    if (reached !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
  reach.armed = point;
  return reach;
}

function isKillPoint(point: string): point is KillPoint {
  return Object.hasOwn(killPoints, point);
}
