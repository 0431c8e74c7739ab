/** The channel's pages: tagged templates that escape what is put into them (hono/html), and their assets. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { html } from "hono/html";
import type { ChannelApp } from "./app.ts";

export { html };

/** Escaped HTML. Putting it into another template does not escape it again. */
export type Markup = ReturnType<typeof html>;

export const nothing = "";

/** The beginning of a page, up to the end of its head. `style` names a stylesheet; `more` ends the head. */
export function documentHead(title: string, style: string, more: Markup | typeof nothing = nothing): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/base.css">
<link rel="stylesheet" href="/assets/${style}.css">
${more}
</head>`;
}

// Vitest's global setup has no `import.meta.resolve` for a linked package.
const require = createRequire(import.meta.url);
/** Changes a page's nodes into those of another; for the console's own script. */
const idiomorph = require.resolve("idiomorph/dist/idiomorph.min.js");

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
