/** The packages that the chat loads by name, which Next's tracing cannot see, and what they need. */
import { readFileSync } from "node:fs";

/** Patterns of their files. */
export function packagesLoadedByName(): string[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const names = new Set(["ioredis", "@prometheus-io/client"]);
  for (const name of names)
    for (const needed of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) names.add(needed);
  return [...names].map((name) => `node_modules/${name}/**`);
}
