/**
 * Generates the tables of documents from the code and compares them; `--write` updates them. A table stands
 * between `<!-- table: name -->` and `<!-- end -->`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillTables, type Tables } from "../channel/openapi/fill-tables.ts";
import { referenceTables, repositoryCaller } from "../channel/openapi/reference-tables.ts";
import { root } from "../processes/root.ts";
import { chatServerTables } from "./document-tables/chat-server.ts";
import { eventTables } from "./document-tables/events.ts";
import { metricsTables } from "./document-tables/metrics.ts";
import { rulesTables } from "./document-tables/rules.ts";
import { troubleshootingTables } from "./document-tables/troubleshooting.ts";

const documents: Record<string, Tables> = {
  "docs/chat-api.md": referenceTables(repositoryCaller),
  "docs/chat-server.md": chatServerTables,
  "docs/chat-widget.md": eventTables,
  "docs/operations.md": metricsTables,
  "docs/troubleshooting.md": troubleshootingTables,
  "docs/verified.md": rulesTables,
};

for (const [file, tables] of Object.entries(documents)) {
  const path = join(root, file);
  const page = readFileSync(path, "utf8");
  const written = fillTables(page, tables);
  if (process.argv.includes("--write")) writeFileSync(path, written);
  else if (written !== page) {
    console.error(`${file} differs from the code: run \`node scripts/document-tables.ts --write\`.`);
    process.exitCode = 1;
  }
}
process.exit();
