/** What the tests' own world does where a program of another run is still at its address. */
import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { freePort, testKeys, World } from "../support/world.ts";

const somewhere = { baseUrl: "http://127.0.0.1:9", ...testKeys };

for (const { what, start } of [
  { what: "channel", start: (port: number) => World.startWithoutShop({ channelPort: port }) },
  { what: "shop", start: (port: number) => World.start({ port, liveChannel: somewhere }) },
]) {
  test(`a world does not take what answers at its ${what}'s address already for its own`, async () => {
    const other = createServer((_, response) => response.end("{}"));
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    try {
      await expect(start(port)).rejects.toThrow(new RegExp(`:${port}.* answers already.* the ${what} `));
    } finally {
      other.close();
      other.closeAllConnections();
    }
  });
}
