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

/**
 * The target, without the team key if the channel has no lab.
 *
 * @throws Error if there is nothing to test: no answer, or a refusal of the key or the channel
 */
export async function withLab(target: Target): Promise<Target> {
  await requireService(target);
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

async function requireService({ base, channelKey, chatKey }: Target): Promise<void> {
  const { status, text } = await send({
    method: "GET",
    base,
    path: `/v1/channels/${channelKey}/chats/chat_of_nobody`,
    headers: { Authorization: `Bearer ${chatKey}` },
    timeoutMilliseconds: 30_000,
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${base.origin} does not answer: ${cause.message || cause.code}`, { cause });
  });
  if (status === 401 || status === 403)
    throw new Error(`${base.origin} refuses the chat key or the channel (${status}): ${text.slice(0, 500)}`);
}
