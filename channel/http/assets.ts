/** The stylesheets, scripts and icons of the channel's pages, at `/assets`. */
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { ChannelApp, ChannelContext } from "./app.ts";

/** Changes a page's nodes into those of another; for the console's own script. */
const idiomorph = fileURLToPath(import.meta.resolve("idiomorph/dist/idiomorph.min.js"));

export function mountAssets(app: ChannelApp): void {
  const onFound = (_: string, context: ChannelContext) => context.header("cache-control", "no-cache");
  app.get("/assets/idiomorph.js", serveStatic({ path: idiomorph, onFound }));
  app.get("/assets/*", serveStatic({ root: import.meta.dirname, onFound }));
}
