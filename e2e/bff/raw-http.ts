/** HTTP as bytes on a socket, for requests that no client would send. */
import { connect } from "node:net";

export interface RawAnswer {
  /** 0 when the server closed the connection without an answer. */
  status: number;
  /** Everything that came back. */
  text: string;
  header(name: string): string | undefined;
}

/** For an answer to begin: the server may be busy with other tests' pages. */
const patience = 20_000;
/** How long to wait for the rest of an answer whose end cannot be seen. */
const quietTime = 700;

export function sendRaw(origin: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname === "localhost" ? "127.0.0.1" : hostname);
    const finish = () => {
      socket.destroy();
      const text = Buffer.concat(pieces).toString("latin1");
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? "0"),
        text,
        header: (name) =>
          new RegExp(`^${name}: (.*)$`, "im").exec(text.split("\r\n\r\n")[0] ?? "")?.[1]?.trim(),
      });
    };
    socket.setTimeout(patience, finish);
    socket.on("data", (piece) => {
      pieces.push(piece);
      socket.setTimeout(quietTime);
    });
    socket.on("close", finish);
    // A reset is one of the right answers to a request like these.
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

/** A well-formed request, but for what the test puts into it. */
export function rawRequest(
  origin: string,
  { method = "GET", path, headers = {}, body = "" }: RawRequest,
): string {
  const all: Record<string, string> = {
    host: new URL(origin).host,
    connection: "close",
    ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}
