/** `npm run channel`: the channel's entry point, and its only file that reads `process.env`. */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { root } from "./root.ts";

// Caches compiled modules between starts. It must be enabled before anything else is imported.
enableCompileCache(join(root, "node_modules", ".cache", "shop-chat-channel"));

// Variables that are already set take precedence over the file. Tests do not read it.
const settings = join(root, ".env.local");
if (process.env["NODE_ENV"] !== "test" && existsSync(settings)) process.loadEnvFile(settings);

const { explainFailure, run } = await import("./run.ts");
try {
  await run(process.env);
} catch (error) {
  process.stderr.write(`The channel cannot start. ${explainFailure(error)}\n`);
  process.exit(1);
}
