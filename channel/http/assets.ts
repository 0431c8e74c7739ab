/** The stylesheets, scripts and icons of the channel's pages, each beside its page, at `/assets`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { ChannelApp } from "./app.ts";

/** Changes a page's nodes into those of another; for the console's own script. */
const idiomorph = fileURLToPath(import.meta.resolve("idiomorph/dist/idiomorph.min.js"));

export function mountAssets(app: ChannelApp): void {
  app.use("/assets/*", async (context, next) => {
    await next();
    context.header("cache-control", "no-cache");
    // Another site's page cannot load them to find out whether a channel runs here.
    context.header("cross-origin-resource-policy", "same-origin");
  });
  app.get("/assets/idiomorph.js", serveStatic({ path: idiomorph }));
  for (const folder of ["http", "console", "openapi"])
    app.get("/assets/*", serveStatic({ root: join(import.meta.dirname, "..", folder) }));
}
