/**
 * A table of the nine operations (docs/chat-api.md, "Operations"). The client builds requests from it, the
 * BFF and the channel their routes, the OpenAPI description its paths. Free of zod, so that browser code may
 * import it; `operation-schemas.ts` has the schemas of bodies and responses.
 */
import { limits } from "./limits.ts";

export interface Operation {
  method: "GET" | "POST";
  /** Below `/v1/channels/{channelKey}` in the Chat API, below the base path (`/api/chat`) in the BFF. */
  path: string;
  /** True for a write: it requires an `Idempotency-Key`, and a replay returns 200. */
  writes: boolean;
  /** Status of a first execution. */
  status: 200 | 201;
  body: "none" | "json" | "multipart";
  maxBodyBytes: number;
  /** True if `Accept: text/event-stream` streams the response. */
  streams: boolean;
}

const read = {
  method: "GET",
  writes: false,
  status: 200,
  body: "none",
  maxBodyBytes: 0,
  streams: false,
} as const;
const jsonWrite = {
  method: "POST",
  writes: true,
  status: 201,
  body: "json",
  maxBodyBytes: limits.jsonBodyBytes,
  streams: false,
} as const;

export const operations = {
  createChat: {
    ...jsonWrite,
    path: "/chats",
  },
  getChat: {
    ...read,
    path: "/chats/{chatId}",
  },
  sendMessage: {
    ...jsonWrite,
    path: "/chats/{chatId}/messages",
    streams: true,
  },
  listMessages: {
    ...read,
    path: "/chats/{chatId}/messages",
  },
  uploadFile: {
    method: "POST",
    path: "/chats/{chatId}/files",
    writes: true,
    status: 201,
    body: "multipart",
    maxBodyBytes: limits.fileBytes,
    streams: false,
  },
  downloadFile: {
    ...read,
    path: "/chats/{chatId}/files/{fileId}",
  },
  getCollection: {
    ...read,
    path: "/chats/{chatId}/collection",
  },
  submitCollection: {
    ...jsonWrite,
    path: "/chats/{chatId}/collection",
    status: 200,
    maxBodyBytes: limits.collectionBodyBytes,
  },
  handoff: {
    ...jsonWrite,
    path: "/chats/{chatId}/handoff",
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

export interface OperationIds {
  chatId?: string;
  fileId?: string;
}

/** The operation's path with its IDs, percent-encoded. Throws if an ID is missing: a programming error. */
export function operationPath(operation: OperationName, ids: OperationIds = {}): string {
  const idOf = (name: keyof OperationIds) => {
    const id = ids[name];
    if (id === undefined) throw new TypeError(`${operation} needs a ${name}`);
    return encodeURIComponent(id);
  };
  return operations[operation].path
    .replace("{chatId}", () => idOf("chatId"))
    .replace("{fileId}", () => idOf("fileId"));
}
