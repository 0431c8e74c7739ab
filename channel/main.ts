/** `npm run channel`. The only file of the channel that reads the process's environment. */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// What the modules compile to is kept from one start to the next. Everything else is imported after this for that reason.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/shop-chat-channel", import.meta.url)));

// What is given beats the file. Tests are the same for everyone.
if (process.env["NODE_ENV"] !== "test" && existsSync(".env.local")) process.loadEnvFile(".env.local");

const { explainFailure, run } = await import("./run.ts");
try {
  await run(process.env);
} catch (error) {
  process.stderr.write(`The channel cannot start. ${explainFailure(error)}\n`);
  process.exit(1);
}
