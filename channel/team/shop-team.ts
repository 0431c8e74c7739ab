/** The team as described by `team.json` in the shop's folder: the initial state of a new channel. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { TeamHours } from "../db/team-hours.ts";
import { StartError } from "../errors.ts";

const TeamFile = z.object({
  members: z.array(z.object({ name: z.string() })),
  hours: TeamHours,
});

export interface ShopTeam {
  /** Null if the team keeps no hours and is always available. */
  hours: TeamHours | null;
  /** The teammates' names. */
  members: readonly string[];
}

export const noTeam: ShopTeam = { hours: null, members: [] };

/** @throws StartError that names an invalid file */
export async function readShopTeam(shopFolder: string): Promise<ShopTeam> {
  const path = join(shopFolder, "team.json");
  const refusal = (what: string, cause: unknown) =>
    new StartError(`CHANNEL_SHOP_DIR: ${path} ${what}`, { cause });
  const text = await readFile(path, "utf8").catch((cause) => {
    throw refusal(`cannot be read: ${cause.code}.`, cause);
  });
  try {
    const { members, hours } = TeamFile.parse(JSON.parse(text));
    return { hours, members: members.map((member) => member.name) };
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw refusal(`does not describe a team:\n${reason}`, cause);
  }
}
