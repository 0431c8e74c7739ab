/** Test environments use no port of another run. */
import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { freePort } from "../../testing/processes/program.ts";
import { TestEnvironment } from "../../testing/processes/test-environment.ts";
import { testKeys } from "../../testing/test-keys.ts";

test("gives each caller another port before a program listens there", async () => {
  const ports = new Set<number>();
  for (let count = 1; count <= 400; count += 1) {
    ports.add(await freePort());
    expect(ports.size).toBe(count);
  }
});

const somewhere = { channelUrl: "http://127.0.0.1:9", ...testKeys };

for (const { what, start } of [
  { what: "channel", start: (port: number) => TestEnvironment.startWithoutShop({ channelPort: port }) },
  { what: "shop", start: (port: number) => TestEnvironment.start({ port, liveChannel: somewhere }) },
]) {
  test(`refuses to start when the ${what}'s address is taken`, async () => {
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
