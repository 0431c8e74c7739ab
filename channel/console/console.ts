/** The console: pages for people, beside the APIs for programs. Mounted at `/console`. */
import { type AccessGuardDeps, mountAccessGuard } from "./access-guard.ts";
import { mountConsoleActions } from "./actions.ts";
import { mountLabPages } from "./lab-pages.ts";
import { createPages } from "./pages.ts";
import { mountConsolePages, type ReadDeps } from "./read-pages.ts";

export type ConsoleDeps = ReadDeps & AccessGuardDeps;

export function mountConsole(deps: ConsoleDeps): void {
  mountAccessGuard(deps);
  const pages = createPages(deps);
  mountConsolePages(deps, pages);
  mountConsoleActions(deps, pages);
  if (deps.lab !== null) mountLabPages(deps, pages, deps.lab);
}
