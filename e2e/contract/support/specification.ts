/**
 * The specification's tables, written independently of `lib/chat-api`, so that these tests find mistakes in
 * the shared contract. Comments name the sections of docs/chat-api.md.
 */

/** The status of each code ("Error codes"). */
const errorStatus = {
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

export const codes = Object.keys(errorStatus) as Code[];
export const statusOf = (code: Code): number => errorStatus[code];

/** Errors that every operation can return ("Error codes"). */
const globalCodes: readonly Code[] = [
  "invalid_id",
  "invalid_api_key",
  "origin_not_allowed",
  "channel_disabled",
  "workspace_suspended",
  "rate_limited",
  "internal_error",
];

/** Errors of a request with a JSON body. */
const jsonCodes = ["invalid_json", "invalid_request", "payload_too_large", "unsupported_media_type"] as const;
/** Errors of a write that a running turn, a closed chat or the shop's plan prevents. */
const turnCodes = [
  "chat_not_found",
  "idempotency_conflict",
  "turn_in_progress",
  "operation_capacity_reached",
  "chat_closed",
  "chat_limit_reached",
  "service_unavailable",
] as const;

/** "Operations": paths below `/v1/channels/{channelKey}`, and the statuses of first executions. */
const operations = {
  createChat: {
    method: "POST",
    path: "/chats",
    status: 201,
    codes: [
      ...jsonCodes,
      "idempotency_conflict",
      "idempotency_key_expired",
      "idempotency_resource_gone",
      "chat_limit_reached",
      "capacity_limited",
    ],
  },
  getChat: { method: "GET", path: "/chats/{chatId}", status: 200, codes: ["chat_not_found"] },
  sendMessage: {
    method: "POST",
    path: "/chats/{chatId}/messages",
    status: 201,
    codes: [
      ...jsonCodes,
      ...turnCodes,
      "unsupported_resume",
      "unsupported_accept",
      "file_not_found",
      "file_not_ready",
      "operation_interrupted",
      "operation_superseded",
    ],
  },
  listMessages: {
    method: "GET",
    path: "/chats/{chatId}/messages",
    status: 200,
    codes: ["invalid_request", "invalid_cursor", "chat_not_found", "cursor_expired"],
  },
  uploadFile: {
    method: "POST",
    path: "/chats/{chatId}/files",
    status: 201,
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
    path: "/chats/{chatId}/files/{fileId}",
    status: 200,
    codes: ["chat_not_found", "file_not_found", "file_not_ready"],
  },
  getCollection: {
    method: "GET",
    path: "/chats/{chatId}/collection",
    status: 200,
    codes: ["chat_not_found"],
  },
  submitCollection: {
    method: "POST",
    path: "/chats/{chatId}/collection",
    status: 200,
    codes: [...jsonCodes, ...turnCodes, "invalid_submission", "version_conflict"],
  },
  handoff: {
    method: "POST",
    path: "/chats/{chatId}/handoff",
    status: 201,
    codes: [...jsonCodes, ...turnCodes, "confirmation_required", "collection_incomplete"],
  },
} as const satisfies Record<string, { method: string; path: string; status: number; codes: readonly Code[] }>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

export interface Ids {
  chatId?: string | undefined;
  fileId?: string | undefined;
}

export const methodOf = (operation: OperationName) => operations[operation].method;

/** IDs are unescaped, because tests also send malformed ones. */
export const pathOf = (operation: OperationName, { chatId, fileId }: Ids): string =>
  operations[operation].path.replace("{chatId}", () => `${chatId}`).replace("{fileId}", () => `${fileId}`);

/** The status of a first execution and, for a write, of a replay. */
export const statusesOf = (operation: OperationName): readonly number[] => [
  operations[operation].status,
  200,
];

export const codesOf = (name: OperationName): readonly Code[] => [...operations[name].codes, ...globalCodes];

export const writes = operationNames.filter((name) => methodOf(name) === "POST");
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
