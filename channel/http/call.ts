/** What a handler of an operation gets: a request that has passed every check that comes before its own. */
import type { WriteRequest } from "../idempotency/ledger.ts";
import type { ChannelSettings } from "../settings/settings.ts";

export interface Call {
  requestId: string;
  channelKey: string;
  /** Matches the specification's pattern; empty where the path has none. */
  chatId: string;
  fileId: string;
  request: Request;
  settings: ChannelSettings;
  /** For the log, where the status does not tell. */
  noteReplay(): void;
}

/** A call with a JSON body that fits the operation's schema, and with an idempotency key. */
export interface WriteCall<Body> extends Call {
  body: Body;
  write: WriteRequest;
}

/** A call whose body the handler reads itself. */
export interface UploadCall extends Call {
  idempotencyKey: string;
}
