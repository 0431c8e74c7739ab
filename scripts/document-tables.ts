/**
 * Generates the tables of documents from the code and compares them; `--write` updates them. A table stands
 * between `<!-- table: name -->` and `<!-- end -->`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatApiTables } from "./document-tables/chat-api.ts";
import { metricsTables } from "./document-tables/metrics.ts";
import { troubleshootingTables } from "./document-tables/troubleshooting.ts";
import { root } from "./root.ts";

const documents: Record<string, Record<string, () => string>> = {
  "docs/chat-api.md": chatApiTables,
  "docs/operations.md": metricsTables,
  "docs/troubleshooting.md": troubleshootingTables,
};

for (const [file, tables] of Object.entries(documents)) {
  const path = join(root, file);
  const page = readFileSync(path, "utf8");
  const missing = new Set(Object.keys(tables));
  const written = page.replace(/(<!-- table: ([a-z ]+) -->\n).*?(<!-- end -->)/gs, (_, begin, name, end) => {
    missing.delete(name);
    return `${begin}\n${tables[name]?.() ?? ""}\n\n${end}`;
  });
  if (process.argv.includes("--write")) writeFileSync(path, written);
  else if (written !== page || missing.size > 0) {
    console.error(`${file} differs from the code: run \`node scripts/document-tables.ts --write\`.`);
    process.exitCode = 1;
  }
}
process.exit();
