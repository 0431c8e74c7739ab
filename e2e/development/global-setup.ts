/**
 * Runs `npm run dev` around the development suite: the launcher, the embedded channel and Next's development
 * server. It has its own data and build folders, so that it can run beside a developer's demo.
 * playwright.config.ts hides the developer's settings files.
 */
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Program } from "../../processes/program.ts";
import { root } from "../../processes/root.ts";
import { testKeys } from "../../testing/test-keys.ts";

const origin = `http://localhost:${process.env["E2E_PORT"]}`;
/** The first compilation of a page can take a minute on two busy cores. */
const startTimeout = 300_000;
const stopTime = 30_000;

/** Matches errors and warnings in the output of the launcher and Next, and messages of ended processes. */
const complaint = /^\s*[⨯⚠]|unhandledRejection|uncaughtException|Warning:/;

export default async function aroundRun(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-development-"));
  const server = new Program({
    name: "npm run dev",
    args: ["scripts/launch.ts", "dev"],
    isGroup: true,
    healthUrl: `${origin}/api/chat/health/ready`,
    startTimeout,
    env: {
      ...process.env,
      NODE_ENV: "development",
      // Next locks its build folder, and a running `next dev` may hold the default one.
      NEXT_DIST_DIR: ".next-development",
      PORT: process.env["E2E_PORT"],
      CHANNEL_PORT: process.env["E2E_CHANNEL_PORT"],
      CHANNEL_DATA_DIR: folder,
      CHANNEL_LAB: "1",
      CHANNEL_AGENT_PACE: "5",
      CHANNEL_AUTO_TEAMMATE: "0",
      CHANNEL_TEAM_KEY: testKeys.teamKey,
      LOG_LEVEL: "warn",
    },
  });
  /** The launcher stops the other two programs. Kills those that remain after a while. */
  const stop = async () => {
    const timer = setTimeout(() => server.signal("SIGKILL"), stopTime);
    await server.stop();
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (!(await server.untilReady())) throw new Error(`npm run dev has ended:\n${server.output()}`);
    await compileRoutes();
  } catch (error) {
    await stop();
    throw error;
  }
  return async () => {
    await stop();
    const output = server.output();
    const complaints = output.split("\n").filter((line) => complaint.test(line));
    if (!output.includes("Shop Chat is ready")) complaints.push("The launcher did not say that it is ready.");
    if (complaints.length > 0)
      throw new Error(
        `The development server printed errors or warnings:\n${complaints.join("\n")}\n${output}`,
      );
  };
}

/**
 * Requests every API route once. Otherwise Next would compile a route on its first request, in the middle of
 * a reply.
 */
async function compileRoutes(): Promise<void> {
  for (const route of globSync("app/api/**/route.ts", { cwd: root }).map(dirname)) {
    const path = route
      .slice("app".length)
      .replace("/[[...path]]", "/")
      .replaceAll(/\[\w+\]/g, "compiled");
    const response = await fetch(origin + path);
    await response.arrayBuffer();
  }
}
