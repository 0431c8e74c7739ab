/** The channel under test. */
import { send } from "./http.ts";

export interface Target {
  base: URL;
  channelKey: string;
  chatKey: string;
  /**
   * True for a channel that is not this repository's: it may be newer or slower, it has other users, and it
   * decides otherwise where the specification leaves a choice.
   */
  live: boolean;
  /** Bearer token of `/lab` and `/team`; undefined without a lab. */
  teamKey: string | undefined;
}

/** The target, without the team key if the channel has no lab. */
export async function withLab(target: Target): Promise<Target> {
  if (target.teamKey === undefined) return target;
  const { status } = await send({
    method: "POST",
    base: target.base,
    path: "/lab/clock",
    headers: { Authorization: `Bearer ${target.teamKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ advanceSeconds: 0 }),
    timeoutMilliseconds: 30_000,
  });
  return status === 200 ? target : { ...target, teamKey: undefined };
}
