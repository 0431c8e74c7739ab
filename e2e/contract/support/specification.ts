/**
 * The specification's tables, written independently of `lib/chat-api`, so that these tests find mistakes in
 * the shared contract. Comments name the sections of docs/chat-api.md.
 */

/** The status of each code ("Error codes"). */
export const errorStatus = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_id: 400,
  invalid_cursor: 400,
  invalid_submission: 400,
  unsupported_resume: 400,
  invalid_api_key: 401,
  origin_not_allowed: 403,
  channel_disabled: 403,
  workspace_suspended: 403,
  not_found: 404,
  chat_not_found: 404,
  file_not_found: 404,
  method_not_allowed: 405,
  unsupported_accept: 406,
  idempotency_conflict: 409,
  idempotency_key_expired: 409,
  turn_in_progress: 409,
  operation_interrupted: 409,
  operation_superseded: 409,
  operation_capacity_reached: 409,
  chat_closed: 409,
  version_conflict: 409,
  file_not_ready: 409,
  file_limit_reached: 409,
  file_storage_limit: 409,
  confirmation_required: 409,
  collection_incomplete: 409,
  cursor_expired: 410,
  idempotency_resource_gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unsupported_file: 415,
  rate_limited: 429,
  capacity_limited: 429,
  chat_limit_reached: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type Code = keyof typeof errorStatus;

/** Errors that every operation can return ("Error codes"). */
export const globalCodes: readonly Code[] = [
  "invalid_id",
  "invalid_api_key",
  "origin_not_allowed",
  "channel_disabled",
  "workspace_suspended",
  "rate_limited",
  "internal_error",
];

export type OperationName =
  | "createChat"
  | "getChat"
  | "sendMessage"
  | "listMessages"
  | "uploadFile"
  | "downloadFile"
  | "getCollection"
  | "submitCollection"
  | "handoff";

export interface OperationRules {
  method: "GET" | "POST";
  /** Below `/v1/channels/{channelKey}`. */
  path: (ids: Ids) => string;
  /** Status of the first request, and of a repetition with the same key where it differs. */
  statuses: readonly number[];
  codes: readonly Code[];
}

export interface Ids {
  chatId?: string | undefined;
  fileId?: string | undefined;
}

/** "Operations". IDs enter the path unescaped, because tests also send malformed and encoded ones. */
export const operations: Readonly<Record<OperationName, OperationRules>> = {
  createChat: {
    method: "POST",
    path: () => "/chats",
    statuses: [201, 200],
    codes: [
      "invalid_json",
      "invalid_request",
      "idempotency_conflict",
      "idempotency_key_expired",
      "idempotency_resource_gone",
      "payload_too_large",
      "unsupported_media_type",
      "chat_limit_reached",
      "capacity_limited",
    ],
  },
  getChat: {
    method: "GET",
    path: ({ chatId }) => `/chats/${chatId}`,
    statuses: [200],
    codes: ["chat_not_found"],
  },
  sendMessage: {
    method: "POST",
    path: ({ chatId }) => `/chats/${chatId}/messages`,
    statuses: [201, 200],
    codes: [
      "invalid_json",
      "invalid_request",
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
      "payload_too_large",
      "unsupported_media_type",
      "chat_limit_reached",
      "service_unavailable",
    ],
  },
  listMessages: {
    method: "GET",
    path: ({ chatId }) => `/chats/${chatId}/messages`,
    statuses: [200],
    codes: ["invalid_request", "invalid_cursor", "chat_not_found", "cursor_expired"],
  },
  uploadFile: {
    method: "POST",
    path: ({ chatId }) => `/chats/${chatId}/files`,
    statuses: [201, 200],
    codes: [
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
    method: "GET",
    path: ({ chatId, fileId }) => `/chats/${chatId}/files/${fileId}`,
    statuses: [200],
    codes: ["chat_not_found", "file_not_found", "file_not_ready"],
  },
  getCollection: {
    method: "GET",
    path: ({ chatId }) => `/chats/${chatId}/collection`,
    statuses: [200],
    codes: ["chat_not_found"],
  },
  submitCollection: {
    method: "POST",
    path: ({ chatId }) => `/chats/${chatId}/collection`,
    statuses: [200],
    codes: [
      "invalid_json",
      "invalid_request",
      "invalid_submission",
      "chat_not_found",
      "idempotency_conflict",
      "turn_in_progress",
      "operation_capacity_reached",
      "chat_closed",
      "version_conflict",
      "payload_too_large",
      "unsupported_media_type",
      "chat_limit_reached",
      "service_unavailable",
    ],
  },
  handoff: {
    method: "POST",
    path: ({ chatId }) => `/chats/${chatId}/handoff`,
    statuses: [201, 200],
    codes: [
      "invalid_json",
      "invalid_request",
      "chat_not_found",
      "idempotency_conflict",
      "turn_in_progress",
      "operation_capacity_reached",
      "chat_closed",
      "confirmation_required",
      "collection_incomplete",
      "payload_too_large",
      "unsupported_media_type",
      "chat_limit_reached",
      "service_unavailable",
    ],
  },
};

export const operationNames = Object.keys(operations) as OperationName[];
export const writes = operationNames.filter((name) => operations[name].method === "POST");
/** The operations on an existing chat: all except `createChat`. */
export const chatOperations = operationNames.filter((name) => name !== "createChat");
/** The operations whose body is JSON. */
export const jsonWrites = ["createChat", "sendMessage", "submitCollection", "handoff"] as const;

/** "Limits" and "Operations". Sizes in bytes, lengths in UTF-16 code units. */
export const limits = {
  text: 4_000,
  filesPerMessage: 4,
  filesPerChat: 40,
  fileBytes: 4_194_304,
  storageBytes: 80 * 1024 * 1024,
  jsonBytes: 32 * 1024,
  collectionBytes: 2 * 1024 * 1024,
  answers: 20,
  answerLength: 2_000,
  skippedFields: 20,
  pageDefault: 20,
  pageMax: 50,
  daySeconds: 24 * 60 * 60,
} as const;
