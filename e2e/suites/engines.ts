/**
 * The main journeys in WebKit, by WebKitGTK's own driver (`node scripts/test-browser.ts engines`, after
 * `npm run build`).
 */
import type { ChatTestConfig } from "./main.ts";

const viewports = [
  { name: "1440 light", use: { viewport: { width: 1440, height: 900 }, colorScheme: "light" } },
  { name: "390 dark", use: { viewport: { width: 390, height: 844 }, colorScheme: "dark" } },
] as const;

export const engines = (): ChatTestConfig => ({
  reporter: "list",
  projects: viewports.map(({ name, use }) => ({
    name: `webkit ${name}`,
    testDir: "e2e/engines",
    testIgnore: use.viewport.width === 390 ? [] : ["**/*.phone.spec.ts"],
    use,
  })),
});
