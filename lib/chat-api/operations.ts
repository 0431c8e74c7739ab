/**
 * A table of the nine operations (docs/chat-api.md, "Operations"). The client builds requests from it, the
 * BFF and the channel their routes, the OpenAPI description its paths. Free of zod, so that browser code may
 * import it; `operation-schemas.ts` has the schemas of bodies and responses.
 */
import type { ChatApiErrorCode } from "./errors.ts";
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
  /** Errors in addition to `globalErrorCodes`. */
  errors: readonly ChatApiErrorCode[];
}

const jsonWriteErrors = [
  "invalid_json",
  "invalid_request",
  "payload_too_large",
  "unsupported_media_type",
] as const;

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
    errors: [
      ...jsonWriteErrors,
      "idempotency_conflict",
      "idempotency_key_expired",
      "idempotency_resource_gone",
      "chat_limit_reached",
      "capacity_limited",
    ],
  },
  getChat: {
    ...read,
    path: "/chats/{chatId}",
    errors: ["chat_not_found"],
  },
  sendMessage: {
    ...jsonWrite,
    path: "/chats/{chatId}/messages",
    streams: true,
    errors: [
      ...jsonWriteErrors,
      "unsupported_resume",
      "chat_not_found",
      "file_not_found",
      "unsupported_accept",
      "idempotency_conflict",
      "turn_in_progress",
      "operation_capacity_reached",
      "chat_closed",
      "operation_interrupted",
      "operation_superseded",
      "file_not_ready",
      "chat_limit_reached",
      "service_unavailable",
    ],
  },
  listMessages: {
    ...read,
    path: "/chats/{chatId}/messages",
    errors: ["invalid_request", "invalid_cursor", "chat_not_found", "cursor_expired"],
  },
  uploadFile: {
    method: "POST",
    path: "/chats/{chatId}/files",
    writes: true,
    status: 201,
    body: "multipart",
    maxBodyBytes: limits.fileBytes,
    streams: false,
    errors: [
      "invalid_request",
      "chat_not_found",
      "idempotency_conflict",
      "chat_closed",
      "file_not_ready",
      "file_limit_reached",
      "file_storage_limit",
      "payload_too_large",
      "unsupported_media_type",
      "unsupported_file",
    ],
  },
  downloadFile: {
    ...read,
    path: "/chats/{chatId}/files/{fileId}",
    errors: ["chat_not_found", "file_not_found", "file_not_ready"],
  },
  getCollection: {
    ...read,
    path: "/chats/{chatId}/collection",
    errors: ["chat_not_found"],
  },
  submitCollection: {
    ...jsonWrite,
    path: "/chats/{chatId}/collection",
    status: 200,
    maxBodyBytes: limits.collectionBodyBytes,
    errors: [
      ...jsonWriteErrors,
      "invalid_submission",
      "chat_not_found",
      "idempotency_conflict",
      "turn_in_progress",
      "operation_capacity_reached",
      "chat_closed",
      "version_conflict",
      "chat_limit_reached",
      "service_unavailable",
    ],
  },
  handoff: {
    ...jsonWrite,
    path: "/chats/{chatId}/handoff",
    errors: [
      ...jsonWriteErrors,
      "chat_not_found",
      "idempotency_conflict",
      "turn_in_progress",
      "operation_capacity_reached",
      "chat_closed",
      "confirmation_required",
      "collection_incomplete",
      "chat_limit_reached",
      "service_unavailable",
    ],
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
