/** Raw HTTP over a socket, for requests that no client would send. */
import { connect } from "node:net";
import { rawRequest } from "../../testing/raw-request.ts";

export interface RawAnswer {
  /** 0 when the server closed the connection without a response. */
  status: number;
  /** All received bytes. */
  text: string;
}

/** Time limit for the first byte: other tests may keep the server busy. */
const patience = 20_000;
/** Time to wait for the rest of a response whose end is unknown. */
const quietTime = 700;

export function sendRaw(origin: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname === "localhost" ? "127.0.0.1" : hostname);
    const finish = () => {
      socket.destroy();
      const text = Buffer.concat(pieces).toString("latin1");
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? "0"), text });
    };
    socket.setTimeout(patience, finish);
    socket.on("data", (piece) => {
      pieces.push(piece);
      socket.setTimeout(quietTime);
    });
    socket.on("close", finish);
    // A reset is an acceptable response to such a request.
    socket.on("error", finish);
    socket.on("connect", () => socket.write(bytes));
  });
}

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request that is well-formed except for the test's own changes. */
export function requestTo(
  origin: string,
  { method = "GET", path, headers = {}, body = "" }: RawRequest,
): string {
  const all = {
    host: new URL(origin).host,
    connection: "close",
    ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  return rawRequest(method, path, all, body);
}
