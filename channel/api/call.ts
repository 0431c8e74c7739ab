/** The input of an operation's handler, after the request has passed every check. */
import type { WriteRequest } from "../idempotency/ledger.ts";
import type { ChannelSettings } from "../settings/settings.ts";

export interface Call {
  requestId: string;
  channelKey: string;
  /** A well-formed chat ID; empty where the path has none. */
  chatId: string;
  fileId: string;
  request: Request;
  settings: ChannelSettings;
  /** Marks a replay in the log where the status does not show it. */
  noteReplay(): void;
}

/** A call whose JSON body matched the operation's schema, with its idempotency key. */
export interface WriteCall<Body> extends Call {
  body: Body;
  write: WriteRequest;
}

/** A call whose body the handler reads itself. */
export interface UploadCall extends Call {
  idempotencyKey: string;
}
