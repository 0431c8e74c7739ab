/** `npm run channel`: the channel's entry point, and its only file that reads `process.env`. */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Caches compiled modules between starts. It must be enabled before anything else is imported.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/shop-chat-channel", import.meta.url)));

// Variables that are already set take precedence over the file. Tests do not read it.
if (process.env["NODE_ENV"] !== "test" && existsSync(".env.local")) process.loadEnvFile(".env.local");

const { explainFailure, run } = await import("./run.ts");
try {
  await run(process.env);
} catch (error) {
  process.stderr.write(`The channel cannot start. ${explainFailure(error)}\n`);
  process.exit(1);
}
