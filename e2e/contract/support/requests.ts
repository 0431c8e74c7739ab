/** Requests that nothing is wrong with, for tests of what surrounds them: paths, keys, headers. */
import type { Call } from "./api.ts";
import { multipart } from "./multipart.ts";
import type { OperationName } from "./specification.ts";

export const aFileId = "A-well-formed_file-ID";

const form = multipart([
  { name: "file", filename: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") },
]);

/**
 * One well-formed request for each operation, but for the chat. On a chat where nothing is open, the last two are
 * refused for their content alone; on an unknown chat, all are.
 */
export function wellFormed(operation: OperationName): Call {
  switch (operation) {
    case "createChat":
      return { json: {} };
    case "sendMessage":
      return { json: { text: "Hello" } };
    case "uploadFile":
      return { body: form.body, headers: { "Content-Type": form.contentType } };
    case "submitCollection":
      return { json: { collectionRequestId: null, expectedVersion: 1_000_000, action: "save" } };
    case "handoff":
      return { json: { confirmationId: "unknown-confirmation" } };
    case "downloadFile":
      return { fileId: aFileId };
    default:
      return {};
  }
}
