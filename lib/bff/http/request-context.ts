/** The pipeline's knowledge of a request beside the platform's `Request`. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** Facts about a request that a web-standard `Request` does not contain. */
export interface RequestContext {
  /** The connection's peer address, for the limits per address. The header of a trusted proxy replaces it. */
  peerAddress?: string | undefined;
}

/** A request as Node's HTTP server received it, of HTTP/1 or HTTP/2. */
export type Incoming = Readable & Pick<IncomingMessage, "complete" | "httpVersionMajor">;

/** Values that the adapters pass on. */
export interface ReceivedContext extends RequestContext {
  /** The URL that the browser has asked for, if the framework has changed it. */
  url?: URL;
  /** The request target as it was sent. The pipeline refuses one that a URL parser rewrites. */
  target?: string | undefined;
  /** Its body is read instead of the `Request`'s. */
  incoming?: Incoming | undefined;
  /** True if the host sends responses without their `Content-Encoding`, as Next does. */
  dropsEncoding?: boolean;
}
