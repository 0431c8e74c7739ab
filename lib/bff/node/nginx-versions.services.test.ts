/** Two versions of the shop behind nginx, as docs/deploy/nginx.conf sets it up (npm run test:services). */
import { createServer, type Server } from "node:http";
import { expect, inject, onTestFinished, test } from "vitest";
import { listenLocally } from "../../../testing/local-server.ts";
import { startNginx } from "../../../testing/services/nginx.ts";

const close = (server: Server) =>
  new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });

/** Code that only this version has. */
const codeOf = (name: string) => [`/_next/static/chunks/${name}.js`, `/api/chat/embed/chat-${name}.js`];

function aVersion(name: string): Server {
  return createServer(({ url = "" }, response) => {
    const isCode = codeOf(name).includes(url);
    const isPage = url === "/" || url === "/api/chat/health/live";
    response.writeHead(isCode || isPage ? 200 : 404, {
      "Cache-Control": isCode ? "public, max-age=31536000, immutable" : "private, no-store",
    });
    response.end(name);
  });
}

async function twoVersions() {
  const servers = { old: aVersion("old"), new: aVersion("new") };
  const ports = [await listenLocally(servers.old), await listenLocally(servers.new)];
  const nginx = await startNginx(inject("nginx"), ports);
  onTestFinished(async () => {
    await nginx.stop();
    for (const server of Object.values(servers)) await close(server);
  });
  const get = async (path: string) => {
    const response = await fetch(nginx.origin + path);
    return [response.status, await response.text()];
  };
  return { servers, ports, get };
}

test("answers requests for the code of both versions, and for the old code after the upgrade", async () => {
  const { servers, get } = await twoVersions();
  for (const name of ["old", "new"])
    for (const path of codeOf(name))
      for (let request = 0; request < 4; request += 1) expect(await get(path), path).toEqual([200, name]);
  await close(servers.old);
  for (const path of codeOf("old")) expect(await get(path), path).toEqual([200, "old"]);
  expect(await get("/_next/static/chunks/none.js")).toEqual([404, "new"]);
});

test("asks a restarted process at once", async () => {
  const { servers, ports, get } = await twoVersions();
  await close(servers.old);
  for (let request = 0; request < 4; request += 1) expect(await get("/")).toEqual([200, "new"]);
  servers.old.listen(ports[0], "127.0.0.1");
  await close(servers.new);
  for (let request = 0; request < 4; request += 1) expect(await get("/")).toEqual([200, "old"]);
});
