/**
 * `npm run demo:seed`: creates chats in the running demo that are tedious to produce by hand, and prints
 * which customer sees each.
 */
import { customers } from "#lib/shop/orders.ts";
import { connect } from "./demo-seed/channel-connection.ts";
import type { Seed } from "./demo-seed/seed.ts";
import { plant, seeds } from "./demo-seed/seeds.ts";
import { settingsOrExit } from "./launcher/environment.ts";

const context = await connect(settingsOrExit());
for (const seed of seeds) {
  process.stderr.write(`${seed.title} …\n`);
  await plant(seed, context);
}
console.log(`\nSign in at ${context.shopOrigin}/account as the customer, then follow the link.`);
for (const customer of customers) {
  console.log(`\n${customer.name}`);
  for (const seed of seeds.filter(({ customerId }) => customerId === customer.id))
    printSeed(seed, `${context.shopOrigin}/?chat=${seed.id}`);
}
console.log("\nIn the team inbox only");
for (const seed of seeds.filter(({ customerId }) => customerId === null)) printSeed(seed, seed.id);

function printSeed({ title, about }: Seed, reference: string): void {
  console.log(`  ${title}: ${reference}\n    ${about}`);
}
