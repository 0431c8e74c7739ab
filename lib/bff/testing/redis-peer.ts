/** A fake Redis that records the keys of the limits' commands. It admits every call. */
import { createServer, type Socket } from "node:net";
import { listenLocally } from "../../../testing/local-server.ts";

/** Each call counts in each of its buckets with `INCRBY key 1` and `EXPIRE key seconds`. */
const countCommands = /^(incrby|expire)$/i;
/** The response to `INFO`, with which ioredis first asks whether the server is ready. */
const ready = "redis_version:7.0.0\r\nloading:0\r\n";

export async function startRedisPeer() {
  const keys: string[] = [];
  const unanswered: string[] = [];
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = "";
    socket.on("data", (piece) => {
      received += piece.toString("latin1");
      // Like Redis, one write for the replies to a pipeline.
      let replies = "";
      for (let command = next(); command !== undefined; command = next()) {
        if (isSilent) unanswered.push((command[0] ?? "").toLowerCase());
        else replies += reply(command);
      }
      if (replies !== "") socket.write(replies);
    });
    /** The words of the next complete command (RESP); undefined until it has arrived. */
    function next(): string[] | undefined {
      const count = Number(/^\*(\d+)\r\n/.exec(received)?.[1] ?? "0");
      const whole = new RegExp(`^\\*\\d+\\r\\n((?:\\$\\d+\\r\\n[^\\r]*\\r\\n){${count}})`).exec(received);
      if (count === 0 || whole === null) return undefined;
      received = received.slice(whole[0].length);
      return [...(whole[1] ?? "").matchAll(/\$\d+\r\n([^\r]*)\r\n/g)].map(([, word = ""]) => word);
    }
    function reply([name = "", key = ""]: string[]): string {
      if (/^incrby$/i.test(name)) keys.push(key);
      if (countCommands.test(name)) return ":1\r\n";
      return /^info$/i.test(name) ? `$${ready.length}\r\n${ready}\r\n` : "+OK\r\n";
    }
  });
  const port = await listenLocally(server);
  return {
    url: `redis://127.0.0.1:${port}`,
    /** The keys that were counted, in order. */
    keys,
    /** The names of the commands since `fallSilent`. */
    unanswered,
    /** Accepts commands but answers none from now on, like a hanging Redis. */
    fallSilent() {
      isSilent = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
