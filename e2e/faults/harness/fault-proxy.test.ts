import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { listenLocally } from "../../../testing/local-server.ts";
import { type ConnectionFault, FaultProxy } from "./fault-proxy.ts";

const question = "0123456789";
const answer = "abcdefghij".repeat(10);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** The bytes that one end of a connection received, and how the connection ended for it. */
interface End {
  text: string;
  /** `open` until a FIN or RST arrives. */
  end: "open" | "FIN" | "RST";
}

function watch(socket: Socket, onText: (end: End) => void = () => undefined): End {
  const seen: End = { text: "", end: "open" };
  socket.on("data", (piece) => {
    seen.text += piece.toString();
    onText(seen);
  });
  socket.on("end", () => {
    seen.end = "FIN";
  });
  socket.on("error", () => {
    seen.end = "RST";
  });
  return seen;
}

/** A server that answers after the whole request and keeps the connection open. */
async function startServer(): Promise<{ port: number; ends: End[] }> {
  const ends: End[] = [];
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    ends.push(
      watch(socket, (seen) => {
        if (seen.text.length % question.length === 0) socket.write(answer);
      }),
    );
  });
  const port = await listenLocally(server);
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port, ends };
}

async function startProxy(
  backends: readonly number[],
  ...faults: Partial<ConnectionFault>[]
): Promise<{ proxy: FaultProxy; hits: string[] }> {
  const hits: string[] = [];
  const proxy = await FaultProxy.start({
    backends: () => backends,
    plan: () => {
      const fault = faults.shift();
      return fault && { kind: "rst", direction: "down", after: 0, milliseconds: 0, ...fault };
    },
    onHit: ({ kind }) => void hits.push(kind),
  });
  closers.push(() => proxy.close());
  return { proxy, hits };
}

function call({ port }: FaultProxy): { socket: Socket; seen: End } {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  closers.push(() => socket.destroy());
  socket.write(question);
  return { socket, seen: watch(socket) };
}

test("passes on and counts all data without a planned fault", async () => {
  const server = await startServer();
  const { proxy, hits } = await startProxy([server.port]);
  const { socket, seen } = call(proxy);
  await vi.waitFor(() => expect(seen.text).toBe(answer));
  expect(server.ends[0]?.text).toBe(question);
  expect(proxy.total).toEqual({ up: question.length, down: answer.length });
  socket.end();
  await vi.waitFor(() => expect(server.ends[0]?.end).toBe("FIN"));
  expect(seen.end).toBe("open");
  expect(hits).toEqual([]);
});

test.each([
  ["rst", "down", 0],
  ["rst", "down", 37],
  ["fin", "down", 37],
  ["fin", "down", answer.length - 1],
] as const)(
  "%s %s after byte %i: the client gets those bytes and the end",
  async (kind, direction, after) => {
    const server = await startServer();
    const { proxy, hits } = await startProxy([server.port], { kind, direction, after });
    const { seen } = call(proxy);
    await vi.waitFor(() => expect(seen.end).toBe(kind === "fin" ? "FIN" : "RST"));
    // A reset may arrive before unread data.
    if (kind === "fin") expect(seen.text).toBe(answer.slice(0, after));
    else expect(answer.slice(0, after).startsWith(seen.text)).toBe(true);
    expect(hits).toEqual([kind]);
  },
);

test.each([
  ["rst", "RST"],
  ["fin", "FIN"],
  ["half_close", "FIN"],
] as const)("%s up: the server receives a truncated request, then %s", async (kind, end) => {
  const server = await startServer();
  const { proxy, hits } = await startProxy([server.port], { kind, direction: "up", after: 4 });
  call(proxy);
  await vi.waitFor(() => expect(server.ends[0]?.end).toBe(end));
  expect(question.slice(0, 4).startsWith(server.ends[0]?.text ?? "-")).toBe(true);
  if (kind !== "rst") expect(server.ends[0]?.text).toBe(question.slice(0, 4));
  expect(hits).toEqual([kind]);
});

test("half_close down ends the response and leaves the other direction open", async () => {
  const server = await startServer();
  const { proxy } = await startProxy([server.port], { kind: "half_close", direction: "down", after: 5 });
  const { socket, seen } = call(proxy);
  await vi.waitFor(() => expect(seen).toEqual({ text: answer.slice(0, 5), end: "FIN" }));
  socket.write("more");
  await vi.waitFor(() => expect(server.ends[0]?.text).toBe(`${question}more`));
});

test("black_hole swallows the rest and resets when its time is over", async () => {
  const server = await startServer();
  const fault = { kind: "black_hole", direction: "up", after: 4, milliseconds: 50 } as const;
  const { proxy, hits } = await startProxy([server.port], fault);
  const { seen } = call(proxy);
  await vi.waitFor(() => expect(seen.end).toBe("RST"));
  expect(seen.text).toBe("");
  expect(hits).toEqual(["black_hole"]);
});

test.each(["latency", "slices"] as const)("%s delays bytes and loses none", async (kind) => {
  const server = await startServer();
  const fault = { kind, direction: "down", after: 5, milliseconds: 100 } as const;
  const { proxy, hits } = await startProxy([server.port], fault);
  const { socket, seen } = call(proxy);
  await vi.waitFor(() => expect(seen.text).toBe(answer));
  socket.write(question);
  await vi.waitFor(() => expect(seen.text).toBe(answer + answer));
  expect(hits).toEqual([kind]);
});

test("counts a fault's bytes from the request that it was planned for", async () => {
  const server = await startServer();
  const faults: (ConnectionFault | undefined)[] = [
    undefined,
    { kind: "fin", direction: "down", after: 3, milliseconds: 0 },
  ];
  const proxy = await FaultProxy.start({
    backends: () => [server.port],
    plan: () => faults.shift(),
    onHit: () => undefined,
  });
  closers.push(() => proxy.close());
  const { socket, seen } = call(proxy);
  await vi.waitFor(() => expect(seen.text).toBe(answer));
  socket.write(question);
  await vi.waitFor(() => expect(seen).toEqual({ text: answer + answer.slice(0, 3), end: "FIN" }));
});

test("uses the first server that accepts and resets the client if none does", async () => {
  const server = await startServer();
  const gone = await startServer();
  await closers.pop()?.();
  const { proxy } = await startProxy([gone.port, server.port]);
  const { seen } = call(proxy);
  await vi.waitFor(() => expect(seen.text).toBe(answer));

  const alone = await startProxy([gone.port]);
  const refused = call(alone.proxy);
  await vi.waitFor(() => expect(refused.seen.end).toBe("RST"));
});
