/**
 * `npm run bench` lists the benchmarks; `npm run bench -- NAME …` runs one. A benchmark is a file beside this one; what it
 * prints names the machine, so that a figure never travels without it.
 */
import { readdirSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { basename, join } from "node:path";

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== basename(import.meta.filename))
  .map((file) => basename(file, ".ts"))
  .toSorted();

const name = process.argv[2];
if (name === undefined || !names.includes(name)) {
  console.log(`Benchmarks: ${names.join(", ") || "none"}\nRun one with: npm run bench -- NAME`);
  process.exit(name === undefined ? 0 : 1);
}
const processor = cpus()[0]?.model ?? "unknown processor";
console.log(
  `${name} on Node ${process.version}, ${cpus().length} × ${processor}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
);
process.argv.splice(2, 1);
await import(join(import.meta.dirname, `${name}.ts`));
