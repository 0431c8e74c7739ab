/**
 * Measures the response times of hostile anonymous requests, each after a plain one. On an idle shop they are
 * mostly CPU time of its only thread. The shop runs at SHOP_ORIGIN (default http://localhost:3000,
 * `npm start`).
 */
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { rawRequest } from "../testing/raw-request.ts";
import { median } from "./support/statistics.ts";

const origin = new URL(process.env["SHOP_ORIGIN"] ?? "http://localhost:3000");
const rounds = 9;

interface Kind {
  method?: string;
  path: string;
  headers?: Record<string, string>;
}

const cookies = (count: number) => Array.from({ length: count }, (_, at) => `c${at}=1`).join("; ");

const plain: Kind = { path: "/api/chat/health/live" };
const kinds: Record<string, Kind> = {
  "a plain request": plain,
  "256 parameters": { path: `/api/chat/health/live?${"a=1&".repeat(255)}a=1` },
  "8 KB of parameters": { path: `/api/chat/health/live?${"a=1&".repeat(2_000)}` },
  "15 KB of parameters": { path: `/api/chat/health/live?${"a=1&".repeat(3_750)}` },
  "15 KB of parameters, to a file": { path: `/icon.svg?${"a=1&".repeat(3_750)}` },
  "15 KB in one parameter": { path: `/api/chat/health/live?a=${"1".repeat(15_000)}` },
  "15 KB of path": { path: `/api/${"a/".repeat(7_500)}` },
  "180 cookies": { path: "/api/chat/health/live", headers: { cookie: cookies(180) } },
  "15 KB of cookies": { path: "/api/chat/health/live", headers: { cookie: cookies(1_700) } },
  "14 KB of User-Agent": { path: "/api/chat/health/live", headers: { "user-agent": "a".repeat(14_000) } },
  "14 KB of User-Agent, to the base path": {
    path: "/api/chat",
    headers: { "user-agent": "a".repeat(14_000) },
  },
  "14 KB of User-Agent, to a page": { path: "/help", headers: { "user-agent": "a".repeat(14_000) } },
  "15 KB of languages": { path: "/api/chat/health/live", headers: { "accept-language": "a,".repeat(7_500) } },
  "a bad router state": { path: "/help", headers: { rsc: "1", "next-router-state-tree": "bad" } },
  "a path that cannot be decoded": { path: "/api/chat/chats/%ff" },
  TRACE: { method: "TRACE", path: "/" },
};

interface Outcome {
  status: string;
  milliseconds: number;
}

async function send({ method = "GET", path, headers = {} }: Kind): Promise<Outcome> {
  const all = { host: origin.host, connection: "close", ...headers };
  const socket = connect(
    Number(origin.port),
    origin.hostname === "localhost" ? "127.0.0.1" : origin.hostname,
  );
  await once(socket, "connect");
  const sentAt = performance.now();
  socket.write(rawRequest(method, path, all));
  const response = await text(socket);
  return { status: response.slice(9, 12), milliseconds: performance.now() - sentAt };
}

for (const [name, kind] of Object.entries(kinds)) {
  const times: number[] = [];
  let status = "";
  for (let round = 0; round < rounds; round += 1) {
    await send(plain);
    const outcome = await send(kind);
    status = outcome.status;
    times.push(outcome.milliseconds);
  }
  console.log(`${name.padEnd(32)} ${status}  ${median(times).toFixed(1).padStart(8)} ms`);
}
