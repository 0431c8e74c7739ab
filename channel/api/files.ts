/** Upload a file, download a file. */
import { downloadFile } from "../files/download-file.ts";
import { attachmentDisposition } from "../files/filename.ts";
import { type FileDeps, uploadFile } from "../files/upload-file.ts";
import { created } from "../http/responses.ts";
import { mountRead, mountUpload, type RouteDeps } from "./route.ts";

export function mountFiles(deps: RouteDeps & FileDeps): void {
  mountUpload(deps, async ({ channelKey, chatId, idempotencyKey, request }) => {
    const { item, isReplay } = await uploadFile(deps, { channelKey, chatId }, idempotencyKey, request);
    return created(item, isReplay);
  });

  mountRead(deps, "downloadFile", async (call) => {
    const { file, bytes } = await downloadFile(deps, call, call.fileId);
    return new Response(bytes, {
      headers: {
        "content-type": file.mediaType,
        "content-length": String(file.byteSize),
        "content-disposition": attachmentDisposition(file.filename),
        // If a browser opens this address, nothing in the file may run, whatever it claims to be.
        "content-security-policy": "default-src 'none'; sandbox",
      },
    });
  });
}
