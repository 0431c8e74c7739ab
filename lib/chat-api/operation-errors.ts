/**
 * The errors of each operation in addition to `globalErrorCodes` (docs/chat-api.md, "Operations"). Apart from
 * `operations.ts`, because browsers do not need them.
 */
import type { ChatApiErrorCode } from "./errors.ts";
import type { OperationName } from "./operations.ts";

const jsonWriteErrors = [
  "invalid_json",
  "invalid_request",
  "payload_too_large",
  "unsupported_media_type",
] as const;

export const operationErrors = {
  createChat: [
    ...jsonWriteErrors,
    "idempotency_conflict",
    "idempotency_key_expired",
    "idempotency_resource_gone",
    "chat_limit_reached",
    "capacity_limited",
  ],
  getChat: ["chat_not_found"],
  sendMessage: [
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
  listMessages: ["invalid_request", "invalid_cursor", "chat_not_found", "cursor_expired"],
  uploadFile: [
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
  downloadFile: ["chat_not_found", "file_not_found", "file_not_ready"],
  getCollection: ["chat_not_found"],
  submitCollection: [
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
  handoff: [
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
} as const satisfies Record<OperationName, readonly ChatApiErrorCode[]>;
