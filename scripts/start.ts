import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./launcher/launch.ts";
import { root } from "./root.ts";
import { sourceFiles } from "./source-files.ts";

const build = join(root, process.env["NEXT_DIST_DIR"] ?? ".next", "BUILD_ID");
if (!existsSync(build)) refuse("There is no production build yet.");

const settings = "instrumentation.ts,proxy.ts,next.config.mjs,tsconfig.json,package.json,package-lock.json";
const newer = sourceFiles(`{{app,components,lib,public}/**/*.*,${settings}}`).find(
  (file) => !/\.test\.tsx?$|README\.md$/.test(file) && changedAt(join(root, file)) > changedAt(build),
);
if (newer !== undefined) refuse(`The production build is older than ${newer}.`);

await launch("start");

function changedAt(path: string): number {
  return statSync(path).mtimeMs;
}

function refuse(reason: string): never {
  console.error(`${reason} Run \`npm run build\` first.`);
  process.exit(1);
}
