import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { availabilityAt } from "../handoffs/hours.ts";
import { readShopTeam } from "./shop-team.ts";

const shopFolder = new URL("../../lib/shop", import.meta.url).pathname;

const Expectation = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  expect: z.object({ nextAvailableAt: z.string().nullable(), requiresEmail: z.boolean() }),
});

test("each example moment in team.json has the availability stated there", async () => {
  const { hours } = await readShopTeam(shopFolder);
  const file = z
    .object({ clockPresets: z.array(z.unknown()) })
    .parse(JSON.parse(await readFile(join(shopFolder, "team.json"), "utf8")));
  const moments = file.clockPresets.flatMap((preset) => Expectation.safeParse(preset).data ?? []);
  expect(moments.length).toBeGreaterThanOrEqual(8);
  for (const moment of moments) {
    const { nextAvailableAt, requiresEmail } = availabilityAt(hours, new Date(moment.at));
    const read = { nextAvailableAt: nextAvailableAt?.toISOString() ?? null, requiresEmail };
    expect(read, moment.id).toEqual(moment.expect);
  }
});

test("the error for an unusable file names it and says why", async () => {
  const folder = await mkdtemp(join(tmpdir(), "shop-team-"));
  await writeFile(join(folder, "team.json"), "{}");
  await expect(readShopTeam(folder)).rejects.toThrowError(/team\.json does not describe a team.+members/s);
  await writeFile(join(folder, "team.json"), "{,}");
  await expect(readShopTeam(folder)).rejects.toThrowError(/team\.json does not describe a team.+JSON/s);
  await rm(join(folder, "team.json"));
  await expect(readShopTeam(folder)).rejects.toThrowError(/team\.json cannot be read: ENOENT/);
});
