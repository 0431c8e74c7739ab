/** The channel as a package: its command in empty folders, and the example of tests in front of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../processes/free-port.ts";
import { root } from "../../processes/root.ts";
import { findOrInstallBrowser } from "../../testing/browsers/find-browsers.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { HostApp } from "./host-app.ts";

/**
 * Starts the packed channel, calls its nine operations and verifies it by the packed contract tests. Without
 * PostgreSQL's driver, it names it.
 */
export async function callPackedChannel(app: HostApp, node: string): Promise<void> {
  await app.run("npm init -y\nnpm install ../shop-chat/dist/shop-chat-channel.tgz");
  const command = `${node} node_modules/shop-chat-channel/scripts/channel-command.js`;
  await app.run(`! ${command} --database postgres://127.0.0.1/none 2>refusal
grep "needs the package pg: npm install pg" refusal`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const keys = {
    CHAT_CHANNEL_KEY: testKeys.channelKey,
    CHAT_KEY: testKeys.chatKey,
    CHANNEL_TEAM_KEY: testKeys.teamKey,
  };
  await app.start(`${command} --port ${port} --pace 0 --lab`, keys, `${url}/healthz`);
  const calls = new HostApp(app.name, app.folder);
  await calls.run(`python3 ${join(root, "e2e", "nine-calls.py")}`, { ...keys, CHAT_BASE_URL: url });
  await calls.run(`${command} verify --url ${url} --exact`, keys);
  app.stop();
}

/**
 * Runs the example's tests: in Vitest a hundred of them in eight workers in front of one channel, in a
 * browser in front of the Express example, and in Python. Vitest's fail if one leaves its channel behind.
 */
export async function runExampleTests(app: HostApp, express: HostApp): Promise<void> {
  for (const each of [app, express]) await each.run("npm install");
  const tests = readFileSync(join(app.folder, "chat.test.ts"), "utf8");
  for (let copy = 2; copy <= 8; copy += 1) app.writeFile(`chat-${copy}.test.ts`, tests);
  // A busy machine may be slow.
  await app.run("npm test -- --maxWorkers=8 --testTimeout=30000");
  await app.run("npm run test:browser", { CHROMIUM_PATH: findOrInstallBrowser() });
  await app.run("python3 -m venv .venv\n.venv/bin/pip install --quiet pytest\n.venv/bin/pytest");
}
