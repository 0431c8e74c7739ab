/**
 * Loaded into the shop's process (`node --import`). Searches every byte of incoming connections' responses,
 * headers and static files included, for the secrets of the environment. Reports the location, never the
 * secret.
 */
import { subscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { keep } from "./records.ts";

const names = ["CHAT_KEY", "SESSION_SECRET", "CHANNEL_TEAM_KEY", "METRICS_TOKEN"];
const secrets = names.flatMap((name) => {
  const value = process.env[name];
  return value === undefined || value === "" ? [] : [{ name, bytes: Buffer.from(value) }];
});
const longest = Math.max(...secrets.map(({ bytes }) => bytes.length));
const contextLength = 120;

let bytes = 0;
let connections = 0;

subscribe("net.server.socket", (message) => {
  if (typeof message !== "object" || message === null || !("socket" in message)) return;
  if (message.socket instanceof Socket) watch(message.socket);
});

function watch(socket: Socket): void {
  connections += 1;
  // The last bytes of the previous write, where a secret may begin.
  let tail: Buffer = Buffer.alloc(0);
  const { write } = socket;
  const watched = (piece: string | Uint8Array, ...rest: unknown[]) => {
    const [encoding] = rest;
    const text = typeof encoding === "string" && Buffer.isEncoding(encoding) ? encoding : "utf8";
    const leaving = typeof piece === "string" ? Buffer.from(piece, text) : piece;
    bytes += leaving.byteLength;
    const seen = Buffer.concat([tail, leaving]);
    for (const { name, bytes: secret } of secrets) {
      const at = seen.indexOf(secret);
      if (at >= 0) report(name, seen.subarray(0, at));
    }
    tail = seen.subarray(Math.max(0, seen.length - longest + 1));
    return Reflect.apply(write, socket, [piece, ...rest]);
  };
  Object.assign(socket, { write: watched });
}

/** The first finding of each secret suffices to locate its source. */
const reported = new Set<string>();

function report(name: string, before: Uint8Array): void {
  if (reported.has(name)) return;
  reported.add(name);
  const text = Buffer.from(before.subarray(-contextLength)).toString("latin1");
  keep("responses", `${JSON.stringify({ found: name, after: text })}\n`);
}

keep("responses", `${JSON.stringify({ watching: process.pid })}\n`);
process.once("exit", () => keep("responses", `${JSON.stringify({ connections, bytes })}\n`));
