import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listenLocally } from "../local-server.ts";

/** Serves at a free port until the test has finished. */
export function serve(server: Server & { closeAllConnections?(): void }): Promise<number> {
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return listenLocally(server);
}
