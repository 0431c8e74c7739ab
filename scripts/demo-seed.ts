/**
 * `npm run demo:seed`: creates chats in the running demo that are tedious to produce by hand, and prints
 * which customer sees each. Options play the team's part or advance the clock.
 */
import { parseArgs } from "node:util";
import { customers } from "#lib/shop/orders.ts";
import { connect, NotReadyError } from "./demo-seed/channel-connection.ts";
import { applyPreset, clockPresets } from "./demo-seed/clock-presets.ts";
import type { Seed, SeedContext } from "./demo-seed/seed.ts";
import { plant, seeds } from "./demo-seed/seeds.ts";
import { formInProgress, teamWrites, withTeam } from "./demo-seed/written-chats.ts";
import { loadSettings } from "./launcher/environment.ts";

const usage = `npm run demo:seed                      the seeded chats
npm run demo:seed -- --team-writes     a teammate writes four messages in "${withTeam.title}"
npm run demo:seed -- --team-edits      a teammate changes an answer in "${formInProgress.title}"
npm run demo:seed -- --clock <preset>  the team's hours and the channel's clock:
${clockPresets.map(({ id, label, about }) => `    ${id.padEnd(22)} ${label}. ${about}.`).join("\n")}
The clock goes forward only. To be back in the present, stop the demo and remove its data folder (.data).`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      clock: { type: "string" },
      "team-writes": { type: "boolean" },
      "team-edits": { type: "boolean" },
    },
  });
  if (values.help === true) return console.log(usage);
  const context = await connect(loadSettings());
  if (values.clock !== undefined) return setClock(context, values.clock);
  if (values["team-writes"] === true) return writeAsTeam(context);
  if (values["team-edits"] === true) return editAsTeam(context);
  await plantAll(context);
}

async function plantAll(context: SeedContext): Promise<void> {
  for (const seed of seeds) {
    process.stderr.write(`${seed.title} …\n`);
    await plant(seed, context);
  }
  console.log(`\nSign in at ${context.shopOrigin}/account as the customer, then follow the link.`);
  for (const customer of customers) {
    console.log(`\n${customer.name}`);
    for (const seed of seeds.filter(({ customerId }) => customerId === customer.id)) {
      printSeed(seed, `${context.shopOrigin}/?chat=${seed.id}`);
    }
  }
  console.log("\nIn the team inbox only");
  for (const seed of seeds.filter(({ customerId }) => customerId === null)) printSeed(seed, seed.id);
  console.log("\nMore: npm run demo:seed -- --help");
}

function printSeed({ title, about }: Seed, reference: string): void {
  console.log(`  ${title}: ${reference}\n    ${about}`);
}

async function setClock({ lab }: SeedContext, id: string): Promise<void> {
  const preset = clockPresets.find((known) => known.id === id);
  if (preset === undefined) throw new NotReadyError(`There is no clock preset "${id}".\n\n${usage}`);
  const { now, availability } = await applyPreset(lab, preset);
  const { nextAvailableAt, timezone } = availability;
  const team =
    timezone === null
      ? "The team keeps no hours."
      : nextAvailableAt === null
        ? "The team is there."
        : `The team is back at ${nextAvailableAt}.`;
  console.log(`The channel's clock says ${now.toISOString()}. ${team}`);
}

async function writeAsTeam(context: SeedContext): Promise<void> {
  await plant(withTeam, context);
  for (const text of teamWrites) await context.lab.postMessage(withTeam.id, text);
  console.log(`${teamWrites.length} messages in ${context.shopOrigin}/?chat=${withTeam.id}`);
}

async function editAsTeam(context: SeedContext): Promise<void> {
  await plant(formInProgress, context);
  const { values } = await context.client.getCollection(formInProgress.id);
  const shop = values.find(({ fieldId }) => fieldId === "shop")?.value;
  const other = shop === "kelderby" ? "brackwater" : "kelderby";
  await context.lab.editDetails(formInProgress.id, [{ fieldId: "shop", value: other, status: "accepted" }]);
  console.log(`The shop is now ${other} in ${context.shopOrigin}/?chat=${formInProgress.id}`);
}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof TypeError && "code" in error;
  if (!(error instanceof NotReadyError || isUsage)) throw error;
  console.error(isUsage ? `${error.message}\n\n${usage}` : error.message);
  process.exitCode = 1;
}
