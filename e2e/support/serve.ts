/** The world that most end-to-end tests share, for Playwright's `webServer`. */
import { World } from "./world.ts";

const world = await World.start({
  port: Number(process.env["E2E_PORT"]),
  channelPort: Number(process.env["E2E_CHANNEL_PORT"]),
});
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => void world.stop().then(() => process.exit(0)));
}
