/** Reads the bytes of a file. */
import type { OperationContract } from "./operation-contract.ts";

export const downloadFile = {
  summary: "Download a file",
  description: "The file's bytes.",
  errors: ["chat_not_found", "file_not_found", "file_not_ready"],
  example: {},
} as const satisfies OperationContract;
