/**
 * The contract tests that need no lab, against the model. Takes the options of `playwright test`. The model
 * does not look into files, and sends no headers for browsers.
 */
import { spawn } from "node:child_process";
import { createAdaptorServer } from "@hono/node-server";
import { createModel } from "./model.ts";

const keys = { channelKey: "dep_the_model", chatKey: "ck_model" };
const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const model = createModel({ ...keys, now: Date.now, sleep, pace: 1 });
const server = createAdaptorServer({ fetch: model.fetch });
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const env = {
    ...process.env,
    CHAT_BASE_URL: `http://127.0.0.1:${address.port}`,
    CHAT_CHANNEL_KEY: keys.channelKey,
    CHAT_KEY: keys.chatKey,
    CHANNEL_TEAM_KEY: "",
    CONTRACT_EXACT: "1",
    E2E_ENVIRONMENT: "none",
  };
  const options = [
    "--project=contract",
    "--workers=1",
    "--reporter=dot",
    "--grep-invert=@sandbox|rejects .+ as (PNG|JPEG|GIF|PDF|text)|headers that prevent scripts",
  ];
  const arguments_ = ["node_modules/@playwright/test/cli.js", "test", ...options, ...process.argv.slice(2)];
  const tests = spawn(process.execPath, arguments_, { stdio: "inherit", env });
  tests.once("exit", (code) => process.exit(code ?? 1));
});
