/**
 * The contract's tables (`lib/chat-api`), which docs/chat-api.md shows. `limits` and the strict shapes beside
 * this file are written independently of them, so that these tests find mistakes in the shared contract.
 */
import {
  type ChatApiErrorCode,
  chatApiErrorCodes,
  errorRules,
  globalErrorCodes,
} from "#lib/chat-api/errors.ts";
import { operationErrors } from "#lib/chat-api/operation-errors.ts";
import { operations as contract, type OperationName, operationNames } from "#lib/chat-api/operations.ts";

export { type OperationName, operationNames };
export type Code = ChatApiErrorCode;

export const codes = chatApiErrorCodes;
export const statusOf = (code: Code): number => errorRules[code].status;

export interface Ids {
  chatId?: string | undefined;
  fileId?: string | undefined;
}

export const methodOf = (operation: OperationName) => contract[operation].method;

/** Below `/v1/channels/{channelKey}`. IDs are unescaped, because tests also send malformed ones. */
export const pathOf = (operation: OperationName, { chatId, fileId }: Ids): string =>
  contract[operation].path.replace("{chatId}", () => `${chatId}`).replace("{fileId}", () => `${fileId}`);

/** The status of a first execution and, for a write, of a replay. */
export const statusesOf = (operation: OperationName): readonly number[] => [contract[operation].status, 200];

export const codesOf = (operation: OperationName): readonly Code[] => [
  ...operationErrors[operation],
  ...globalErrorCodes,
];

export const writes = operationNames.filter((name) => contract[name].writes);
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
