/** Two versions of `<shop-chat>` behind one address: two chat servers whose chunks have other names. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { type BundledPart, bundleElement } from "../../scripts/package/bundle-element.ts";
import { listenLocally } from "../../testing/local-server.ts";
import { hideSettingsFiles } from "../../testing/processes/settings-files.ts";
import { elementPageHtml } from "./element-page.ts";
import { chatServerVariables } from "./lab.ts";

/** The same code as of another version: each hash is spelt backwards. */
function otherVersion(parts: readonly BundledPart[]): BundledPart[] {
  const hashes = parts.flatMap(({ name }) => /-([\w-]{8})\.js$/.exec(name)?.slice(1) ?? []);
  const renamed = (text: string) =>
    hashes.reduce((now, hash) => now.replaceAll(hash, [...hash].reverse().join("")), text);
  return parts.map((part) => ({ ...part, name: renamed(part.name), code: renamed(part.code) }));
}

/**
 * A module for `node --import`: the chat server's module with the element's files is filled in, as in the
 * package.
 */
function withFiles(parts: readonly BundledPart[]): string {
  const files = parts.map(({ name, code }) => [name, gzipSync(code).toString("base64")]);
  const source = `export const embedFiles = ${JSON.stringify(Object.fromEntries(files))};`;
  return `import { registerHooks } from "node:module";
registerHooks({
  load: (url, context, next) =>
    url.endsWith("/routes/embed-files.ts")
      ? { format: "module", source: ${JSON.stringify(source)}, shortCircuit: true }
      : next(url, context),
});
`;
}

export interface TwoVersions {
  origin: string;
  /** The version that answers the next request for a file of the element. Both in turn by default. */
  serve(versions: "both" | "old" | "new"): void;
  stop(): Promise<void>;
}

export async function startTwoVersions(): Promise<TwoVersions> {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-versions-"));
  const old = await bundleElement();
  let served: "both" | "old" | "new" = "both";
  let count = 0;
  const balancer = createServer((request, response) => {
    const { url = "/", method = "GET", headers } = request;
    if (!url.startsWith("/api/chat/")) {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(elementPageHtml());
      return;
    }
    const isFile = url.startsWith("/api/chat/embed");
    if (isFile) count += 1;
    const [port] = (served === "both" ? count % 2 === 0 : served === "old") ? ports : ports.toReversed();
    request.pipe(
      send({ host: "127.0.0.1", port, path: url, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }).on("error", () => response.destroy()),
    );
  });
  const origin = `http://localhost:${await listenLocally(balancer)}`;
  const ports = [await freePort(), await freePort()];
  const programs = await Promise.all(
    [old, otherVersion(old)].map((parts, index) => {
      const hook = join(folder, `version-${index}.mjs`);
      writeFileSync(hook, withFiles(parts));
      return Program.start({
        name: `version ${index}`,
        args: ["--import", hook, "scripts/bff.ts"],
        healthUrl: `http://127.0.0.1:${ports[index]}/api/chat/health/live`,
        env: hideSettingsFiles({
          NODE_ENV: "production",
          PORT: String(ports[index]),
          APP_ORIGIN: origin,
          ...chatServerVariables,
          TRUST_PROXY_HOPS: "2",
        }),
      });
    }),
  );
  return {
    origin,
    serve(versions) {
      served = versions;
    },
    async stop() {
      balancer.close();
      balancer.closeAllConnections();
      for (const program of programs) await program.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
