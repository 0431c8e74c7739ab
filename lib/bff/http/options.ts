/** The options of the chat server, and what its adapters pass with a request. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { CustomerChats, OnFeedback } from "../chats/host.ts";
import type { Environment } from "../configuration/env.ts";
import type { CallCounts } from "../limits/call-counts.ts";
import type { RateLimitTable } from "../limits/rate-limits.ts";
import type { LogDestination } from "../observability/log.ts";
import type { Observe } from "../observability/observe.ts";
import type { AdmitGuest, CustomerOf, GuestChats } from "../session/customer.ts";

export interface ChatServerOptions {
  /**
   * Returns the customer who is signed in to the host. Called on each request whose route needs the caller.
   * Without it, every caller is a guest.
   */
  customerOf?: CustomerOf;
  /**
   * Decides whether a new guest may chat, for example by the result of a bot check. Without it, every new
   * guest within the limits may.
   */
  admitGuest?: AdmitGuest;
  /**
   * `follow`: a customer who signs in keeps the chats that this browser's guest had, on this browser, for a
   * week at most, or until a guest opens the chat after sign-out. Not for browsers that several people share.
   * Default: `leave`.
   */
  guestChats?: GuestChats;
  /**
   * Keeps which chats a customer has: with it, customers who are signed in find their chats on every device.
   * Without it, each browser knows those that it has shown.
   */
  chats?: CustomerChats;
  /**
   * Stores what customers think of the agent's answers (`up`, `down`) and of a closed chat (`rating`). Only
   * with it the chat shows the buttons for that.
   */
  onFeedback?: OnFeedback;
  /** The path at which the host mounts the chat server. Pass the same path to the widget (`api`). */
  basePath?: string;
  /** Settings by the names of their environment variables (`CHAT_BASE_URL`, …), which they override. */
  configuration?: Environment;
  limits?: Partial<ServerLimits>;
  /**
   * Where several processes count calls together. Default: Redis with `REDIS_URL`, else each process counts
   * for itself.
   */
  counts?: CallCounts;
  /**
   * Receives the log, one line of JSON with its line break at a time: a function, or an object with such a
   * function `write`, such as a stream. Default: standard output, or nothing if `observe` is set.
   */
  log?: LogDestination["write"] | LogDestination;
  /**
   * Told of each request, each request to the Chat API, each turn stream and each event of the log, for a
   * log, metrics or traces of the host's own.
   */
  observe?: Observe;
}

/** Limits that a shop may change. Each has a default. */
export interface ServerLimits {
  /** Concurrent streamed replies of all callers (`MAX_STREAMS`, 200). One address may have half of them. */
  streams: number;
  /** Concurrent streamed replies of one customer or guest: 3. */
  streamsPerCaller: number;
  /** Concurrent uploads, each of at most 4 MiB, and forms of more than 32 KiB: 10. */
  uploads: number;
  /** Concurrent uploads of one customer or guest: 4. */
  uploadsPerCaller: number;
  /** Concurrent downloads of files: 200. One address may have half of them. */
  downloads: number;
  /** Concurrent downloads of one customer or guest: 20. */
  downloadsPerCaller: number;
  /** Chats that all callers together may start in a day (`MAX_CHATS_PER_DAY`, 5,000). */
  chatsPerDay: number;
  /** Rates that replace rows of `rateLimitTable`. */
  rates: RateLimitTable;
}

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
