/** Valid requests for tests of paths, keys and headers. */
import type { Call } from "./api.ts";
import { multipart } from "./http.ts";
import type { OperationName } from "./specification.ts";

export const aFileId = "A-well-formed_file-ID";

const form = multipart([
  { name: "file", filename: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") },
]);

/**
 * One well-formed request for each operation, without the chat ID. A chat without a form or an offer refuses
 * `submitCollection` and `handoff` for their content.
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
