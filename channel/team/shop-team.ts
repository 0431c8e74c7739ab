/** The team as the shop's own files describe it (`team.json` of the shop's folder): what a new channel starts with. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { TeamHours } from "../handoffs/team-hours.ts";

const EarlyClose = z.object({ date: z.string(), closes: z.string(), label: z.string().optional() });

const TeamFile = z.object({
  members: z.array(z.object({ name: z.string() })),
  hours: z.object({
    timeZone: z.unknown(),
    weekly: z.unknown(),
    closures: z.array(z.unknown()).default([]),
    earlyCloses: z.array(EarlyClose).default([]),
  }),
});

export interface ShopTeam {
  /** Null: the team keeps no hours and is always available. */
  hours: TeamHours | null;
  /** The teammates' names. */
  members: readonly string[];
}

export const noTeam: ShopTeam = { hours: null, members: [] };

/** @throws Error that names the file, where it is not one; a folder without it has no team of its own. */
export async function readShopTeam(shopFolder: string): Promise<ShopTeam> {
  const path = join(shopFolder, "team.json");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return noTeam;
    throw error;
  }
  try {
    const { members, hours } = TeamFile.parse(JSON.parse(text));
    const earlyCloses = hours.earlyCloses.map(({ date, closes, label }) => ({ date, from: closes, label }));
    return {
      hours: TeamHours.parse({
        timeZone: hours.timeZone,
        weekly: hours.weekly,
        closures: [...hours.closures, ...earlyCloses],
      }),
      members: members.map((member) => member.name),
    };
  } catch (cause) {
    throw new Error(`${path} does not describe a team.`, { cause });
  }
}
