/**
 * A TCP proxy that causes network faults: it cuts a connection after a byte in either direction, by RST or
 * FIN, swallows later bytes, closes one direction, delays data, or sends it in slices of a few bytes.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { listenLocally } from "../../../testing/local-server.ts";

/** `up` is data from the client. */
export type Direction = "up" | "down";

export const connectionFaultKinds = ["rst", "fin", "half_close", "black_hole", "latency", "slices"] as const;

export interface ConnectionFault {
  kind: (typeof connectionFaultKinds)[number];
  direction: Direction;
  /** Number of bytes of this direction that pass before the fault. */
  after: number;
  /**
   * The time until the reset of a `black_hole`, or, for `latency`, the delay of all slowed chunks together.
   */
  milliseconds: number;
}

export interface FaultProxyOptions {
  /** Ports of the servers. The first that accepts a connection is used. */
  backends(): readonly number[];
  /**
   * Plans a fault for the connection, counted from its current request. Undefined for none; then the next
   * request asks again.
   */
  plan(): ConnectionFault | undefined;
  /** Called when the fault has affected data. */
  onHit(fault: ConnectionFault): void;
}

/** Time until a half-closed connection is reset. No peer here waits longer for an answer. */
const halfOpenTime = 10_000;
/** Number of chunks that a slow connection delays. */
const slowedPieces = 20;
const sliceLength = 7;

export class FaultProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(port: number, server: Server, sockets: Set<Socket>) {
    this.port = port;
    this.#server = server;
    this.#sockets = sockets;
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const sockets = new Set<Socket>();
    const keep = (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    };
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      keep(client);
      client.on("error", () => client.destroy());
      void connectToOne(options.backends()).then((backend) => {
        if (backend === undefined || client.destroyed) {
          client.resetAndDestroy();
          backend?.destroy();
          return;
        }
        keep(backend);
        new JoinedSockets(client, backend, options);
      });
    });
    return new FaultProxy(await listenLocally(server), server, sockets);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}

async function connectToOne(ports: readonly number[]): Promise<Socket | undefined> {
  for (const port of ports) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const connected = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (connected) return socket;
    socket.destroy();
  }
  return undefined;
}

/** A customer's connection and its backend's. Data passes between them until the plan's fault hits. */
class JoinedSockets {
  readonly #options: FaultProxyOptions;
  readonly #client: Socket;
  readonly #backend: Socket;
  #fault: ConnectionFault | undefined;
  #hasHit = false;
  /** Chunks that are still to be delayed. */
  #slowPieces = 0;
  #swallows = false;
  /** Bytes of each direction since the fault was planned. */
  #passed = { up: 0, down: 0 };

  constructor(client: Socket, backend: Socket, options: FaultProxyOptions) {
    this.#options = options;
    this.#client = client;
    this.#backend = backend;
    this.#pipe("up", client, backend);
    this.#pipe("down", backend, client);
    client.resume();
  }

  #reset(): void {
    this.#client.resetAndDestroy();
    this.#backend.resetAndDestroy();
  }

  #hit(fault: ConnectionFault, source: Socket, target: Socket, head: Buffer): void {
    this.#hasHit = true;
    this.#options.onHit(fault);
    switch (fault.kind) {
      case "rst":
        target.write(head, () => this.#reset());
        return;
      case "fin":
        target.end(head);
        source.destroy();
        return;
      case "half_close":
        target.end(head);
        setTimeout(() => this.#reset(), halfOpenTime).unref();
        return;
      case "black_hole":
        this.#swallows = true;
        target.write(head);
        setTimeout(() => this.#reset(), fault.milliseconds).unref();
        return;
      case "latency":
      case "slices":
        this.#slowPieces = slowedPieces;
        return;
      default:
        fault.kind satisfies never;
    }
  }

  /** Delays chunks as the fault says, then passes data on normally. */
  async #passSlowly(piece: Buffer, target: Socket, { kind, milliseconds }: ConnectionFault): Promise<void> {
    if (kind === "latency") {
      await pause(milliseconds / slowedPieces);
      if (!target.destroyed) target.write(piece);
    } else {
      for (let at = 0; at < piece.length && !target.destroyed; at += sliceLength) {
        target.write(piece.subarray(at, at + sliceLength));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    this.#slowPieces -= 1;
    if (this.#slowPieces > 0) return;
    this.#fault = undefined;
    this.#hasHit = false;
  }

  async #pass(direction: Direction, source: Socket, target: Socket, piece: Buffer): Promise<void> {
    if (this.#swallows || target.destroyed || target.writableEnded) return;
    if (this.#fault === undefined && direction === "up") {
      this.#fault = this.#options.plan();
      this.#passed = { up: 0, down: 0 };
    }
    const already = this.#passed[direction];
    this.#passed[direction] += piece.length;
    const fault = this.#fault?.direction === direction ? this.#fault : undefined;
    if (fault !== undefined && !this.#hasHit && piece.length > fault.after - already) {
      this.#hit(fault, source, target, piece.subarray(0, Math.max(0, fault.after - already)));
      if (this.#slowPieces === 0) return;
    }
    if (fault !== undefined && this.#slowPieces > 0) return this.#passSlowly(piece, target, fault);
    if (!target.write(piece)) await drained(target);
  }

  #pipe(direction: Direction, source: Socket, target: Socket): void {
    let passing: Promise<void> = Promise.resolve();
    source.on("data", (piece: Buffer) => {
      source.pause();
      passing = this.#pass(direction, source, target, piece).then(() => void source.resume());
    });
    source.on("end", () => {
      void passing.then(() => {
        if (!this.#swallows && !target.destroyed) target.end();
      });
    });
    source.on("error", () => source.destroy());
    source.on("close", () => {
      // A reset on one side closes the other. If this side ended by FIN, the FIN was already passed on.
      if (source.readableEnded || this.#swallows) return;
      if (!target.writableEnded) target.destroy();
    });
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.once("drain", done);
    socket.once("close", done);
  });
}
