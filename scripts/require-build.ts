/** Ends `npm start` without a production build, and warns of one that is older than its sources. */
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../processes/root.ts";

const settings = "instrumentation.ts,proxy.ts,next.config.mjs,tsconfig.json,package.json,package-lock.json";
const changedAt = (path: string) => statSync(join(root, path)).mtimeMs;

export function requireBuild(): void {
  const build = join(process.env["NEXT_DIST_DIR"] ?? ".next", "BUILD_ID");
  if (!existsSync(join(root, build))) {
    console.error("There is no production build yet. Run `npm run build` first.");
    process.exit(1);
  }
  const newer = globSync(`{{app,components,lib,public}/**/*.*,${settings}}`, { cwd: root }).find(
    (file) => !/\.test\.tsx?$|README\.md$/.test(file) && changedAt(file) > changedAt(build),
  );
  // A restored or copied build may have another time, so this is no proof.
  if (newer !== undefined)
    console.warn(
      `The production build is older than ${newer}. If you have changed it, run \`npm run build\`.`,
    );
}
