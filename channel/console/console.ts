/** The console: pages for people, beside the APIs for programs. Mounted at `/console`. */

import { type AccessGuardDeps, mountAccessGuard } from "./access-guard.ts";
import { mountConsoleActions } from "./actions.ts";
import { readAssets } from "./assets.ts";
import { mountLabPages } from "./lab-pages.ts";
import { createPages } from "./pages.ts";
import { mountConsolePages, type ReadDeps } from "./read-pages.ts";

export type ConsoleDeps = ReadDeps & AccessGuardDeps;

export function mountConsole(deps: ConsoleDeps): void {
  const { app } = deps;
  mountAccessGuard(deps);
  const assets = readAssets();
  app.get("/console/assets/:path{.+}", (context) => {
    const asset = assets.get(context.req.param("path"));
    if (asset === undefined) return context.notFound();
    return context.body(asset.bytes, 200, { "content-type": asset.type, "cache-control": "no-cache" });
  });
  const pages = createPages(deps);
  mountConsolePages(deps, pages);
  mountConsoleActions(deps, pages);
  if (deps.lab !== null) mountLabPages(deps, pages, deps.lab);
}
