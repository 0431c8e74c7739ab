/** Chat servers of a journey's own, in front of the shared channel. */
import type { BrowserContext } from "@playwright/test";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { chatServerVariables } from "./lab.ts";

export interface OwnServer {
  origin: string;
  stop(): Promise<unknown>;
}

export type OwnServerKind = "following" | "listing" | "two";

/** Starts one of the servers of `run-own-server.ts`. */
export async function startOwnServer(
  kind: OwnServerKind,
  env: Record<string, string> = {},
): Promise<OwnServer> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const program = await Program.start({
    name: `${kind} server`,
    args: ["e2e/support/run-own-server.ts", kind],
    healthUrl: `${origin}/api/chat/health/live`,
    env: {
      ...process.env,
      PORT: String(port),
      APP_ORIGIN: origin,
      ...chatServerVariables,
      LOG_LEVEL: "warn",
      ...env,
    },
    stdout: "inherit",
  });
  return { origin, stop: () => program.stop() };
}

/** Sets the shop's own cookie, as its sign-in does. */
export const signInAt = (context: BrowserContext, { origin }: OwnServer, customerId: string) =>
  context.addCookies([{ name: "shop_session", value: `${customerId}~of-this-test`, url: origin }]);
