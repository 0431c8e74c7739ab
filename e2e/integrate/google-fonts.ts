/**
 * The build of an app from `create-next-app` downloads fonts from Google. Where Google cannot be reached,
 * Next's own switch for tests supplies them, so that the app stays unchanged.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Variables } from "./host-app.ts";

const families = { Geist: "Geist", "Geist Mono": "Geist+Mono" };

export async function fontEnvironment(folder: string): Promise<Variables> {
  const isReachable = await fetch("https://fonts.googleapis.com/", {
    signal: AbortSignal.timeout(3_000),
  }).then(
    () => true,
    () => false,
  );
  if (isReachable) return {};
  const answers = Object.entries(families).map(([family, name]) => [
    `https://fonts.googleapis.com/css2?family=${name}:wght@100..900&display=swap`,
    `@font-face { font-family: '${family}'; src: local('sans-serif'); }`,
  ]);
  const file = join(folder, "google-fonts.cjs");
  writeFileSync(file, `module.exports = ${JSON.stringify(Object.fromEntries(answers))};\n`);
  return { NEXT_FONT_GOOGLE_MOCKED_RESPONSES: file };
}
