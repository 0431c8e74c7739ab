import { once } from "node:events";
import { createServer } from "node:net";
import { portHolder } from "../../channel/http/port-holder.ts";

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
