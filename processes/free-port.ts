import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { portHolder } from "../channel/holders.ts";

/** Rejects with a remedy when another program listens at the port, which `variable` sets. */
export async function requireFreePort(
  { host, port }: { host: string; port: string },
  variable: string,
): Promise<void> {
  const server = createServer();
  try {
    server.listen(Number(port), host);
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_SOCKET_BAD_PORT") throw new Error(`${variable} must be a port number, such as 3000.`);
    if (code !== "EADDRINUSE") throw error;
    const pid = portHolder(Number(port));
    const holder = pid === undefined ? "" : `, perhaps by process ${pid}`;
    throw new Error(
      `Port ${port} is in use${holder}: for example another \`npm start\` or \`npm run dev\`. Stop that program, or set ${variable} to another port.`,
    );
  } finally {
    server.close();
  }
}

/**
 * The ports of programs. They lie below those that systems give to outgoing connections and to servers that
 * listen on port 0, so that neither takes the port of a program that has not started, or that was killed.
 */
const programPorts = { first: 12_000, count: 9_000 };

/** Resolves with false if the port is taken. */
function listensOn(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
}

/** A port that no other process gets from this function while this process runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = programPorts.first + randomInt(programPorts.count);
    // Listening on a port of its own reserves the program's port until this process ends.
    const reservation = createServer().unref();
    if (!(await listensOn(reservation, port + programPorts.count))) continue;
    const server = createServer();
    if (!(await listensOn(server, port))) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
