import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { serviceFolder, serviceUser } from "./service-process.ts";

/**
 * PgBouncer in front of the database at `url`, in transaction mode, with two connections to it: most
 * transactions of a client run on another connection than the one before.
 */
export async function startPgBouncer(program: string, url: string) {
  const server = new URL(url);
  const [user, port] = [serviceUser(), await freePort()];
  const folder = serviceFolder(user);
  const [settings, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
  writeFileSync(users, `"${server.username}" ""\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
`,
  );
  const bouncer = await Program.start({
    name: "PgBouncer",
    program,
    args: [settings],
    cwd: folder,
    user,
    env: { NODE_ENV: "test" },
    port,
  });
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    async stop() {
      await bouncer.stop("SIGINT", 5_000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
