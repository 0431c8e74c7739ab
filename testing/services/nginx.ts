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
  /** Replaces its workers: the former ones end once their requests have. */
  reload(): void;
  stop(): Promise<void>;
}

/** Writes the blocks of `http` for a port, with files in the folder. */
type Settings = (port: number, folder: string) => string;

/**
 * @param program The path of nginx.
 * @param ports Of the shop's processes.
 */
export function startNginx(program: string, ports: readonly number[]): Promise<RunningNginx> {
  return start(program, (port, folder) => shopSettings(port, ports, folder));
}

/** Balances the load of channels at these addresses, and leaves every check to them. */
export function startChannelBalancer(program: string, urls: readonly string[]): Promise<RunningNginx> {
  const servers = urls.map((url) => `server ${new URL(url).host} max_fails=0;`);
  const settings: Settings = (port) => `
    upstream channels { ${servers.join(" ")} keepalive 16; }
    server {
      listen 127.0.0.1:${port};
      client_max_body_size 0;
      merge_slashes off;
      location / {
        proxy_pass http://channels;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        proxy_buffering off;
      }
    }`;
  return start(program, settings);
}

async function start(program: string, settings: Settings): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-nginx-"));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const directories = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${kind};`,
  );
  const http = `access_log off; ${directories.join(" ")}\n${settings(port, folder)}\n`;
  writeFileSync(
    join(folder, "nginx.conf"),
    `pid nginx.pid; error_log stderr crit; events {} http { ${http} }`,
  );
  // When nginx is started by root, its workers run as another user.
  chmodSync(folder, 0o755);
  const run = () =>
    Program.start({
      name: "nginx",
      program,
      args: ["-p", folder, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off;"],
      env: { NODE_ENV: "test" },
      port,
    });
  let nginx = await run();
  return {
    port,
    origin,
    async restart() {
      await nginx.stop();
      nginx = await run();
    },
    reload: () => nginx.signal("SIGHUP"),
    async stop() {
      await nginx.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Leaves out TLS, because the certificate is the shop's own. */
function shopSettings(port: number, shopPorts: readonly number[], folder: string): string {
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
  return own.reduce((text, [from, to]) => {
    if (text.replace(from, to) === text) throw new Error(`docs/production.md has no ${from}`);
    return text.replace(from, to);
  }, block);
}
