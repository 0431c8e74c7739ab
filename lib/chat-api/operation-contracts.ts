/** The nine operations' contracts by name. Servers only: imports zod. */
import type { z } from "zod";
import { createChat } from "./operations/create-chat.ts";
import { downloadFile } from "./operations/download-file.ts";
import { getChat } from "./operations/get-chat.ts";
import { getCollection } from "./operations/get-collection.ts";
import { handoff } from "./operations/handoff.ts";
import { listMessages } from "./operations/list-messages.ts";
import type { OperationContract } from "./operations/operation-contract.ts";
import { sendMessage } from "./operations/send-message.ts";
import { submitCollection } from "./operations/submit-collection.ts";
import { uploadFile } from "./operations/upload-file.ts";
import type { OperationName } from "./operations.ts";

export const operationContracts = {
  createChat,
  getChat,
  sendMessage,
  listMessages,
  uploadFile,
  downloadFile,
  getCollection,
  submitCollection,
  handoff,
} as const satisfies Record<OperationName, OperationContract>;

/** The operations with a JSON body. */
export type JsonOperation = {
  [Name in OperationName]: (typeof operationContracts)[Name] extends { body: z.ZodType } ? Name : never;
}[OperationName];
export type JsonBody<Name extends JsonOperation> = z.output<(typeof operationContracts)[Name]["body"]>;
