/** nginx with the settings of docs/production.md and docs/deploy/nginx.conf. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { root } from "../../processes/root.ts";

export interface RunningNginx {
  port: number;
  origin: string;
  /** Ends it with its connections, and starts it again at the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param program The path of nginx.
 * @param ports Of the shop's processes.
 */
export async function startNginx(program: string, ports: readonly number[]): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-nginx-"));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, "nginx.conf"), settings(port, ports, folder));
  // When nginx is started by root, its workers run as another user.
  chmodSync(folder, 0o755);
  const start = () =>
    Program.start({
      name: "nginx",
      program,
      args: ["-p", folder, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off;"],
      env: { NODE_ENV: "test" },
      port,
    });
  let nginx = await start();
  return {
    port,
    origin,
    async restart() {
      await nginx.stop();
      nginx = await start();
    },
    async stop() {
      await nginx.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Leaves out TLS, because the certificate is the shop's own. */
function settings(port: number, shopPorts: readonly number[], folder: string): string {
  const docs = join(root, "docs");
  const page = readFileSync(join(docs, "production.md"), "utf8");
  const [, block = ""] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  const [server = ""] = /^ *server 127\.0\.0\.1:3000.*$/m.exec(block) ?? [];
  const own: [string | RegExp, string][] = [
    [server, shopPorts.map((each) => server.replace("3000", String(each))).join("\n")],
    ["listen 443 ssl;", `listen 127.0.0.1:${port};`],
    [/http2 on;.*/, ""],
    ["/etc/nginx/shop-chat.conf", join(docs, "deploy", "nginx.conf")],
    ["/var/cache/nginx/shop", join(folder, "cache")],
  ];
  const shown = own.reduce((text, [from, to]) => {
    if (text.replace(from, to) === text) throw new Error(`docs/production.md has no ${from}`);
    return text.replace(from, to);
  }, block);
  const directories = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${kind};`,
  );
  return `pid nginx.pid; error_log stderr crit; events {} http { access_log off; ${directories.join(" ")}\n${shown}\n}`;
}
