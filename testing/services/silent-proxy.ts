/** A TCP proxy whose connections can fall silent, as when a failover or a NAT table drops them. */
import { connect, createServer, type Socket } from "node:net";
import { listenLocally } from "../local-server.ts";

/** Listens in front of the server at `target`. */
export async function silentProxy(target: string) {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isSilent = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const socket of pair) socket.on("error", () => undefined).on("close", () => pairs.delete(pair));
    if (isSilent) return;
    client.pipe(upstream);
    upstream.pipe(client);
  });
  const proxyPort = await listenLocally(server);
  return {
    url: Object.assign(new URL(target), { port: String(proxyPort) }).href,
    /** Makes open connections, and new ones with `andNewOnes`, neither pass bytes on nor close. */
    silence({ andNewOnes } = { andNewOnes: false }) {
      isSilent = andNewOnes;
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).pause();
        upstream.unpipe(client).pause();
      }
    },
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
