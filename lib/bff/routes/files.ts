/** Uploads, and downloads with a type and a disposition that cannot execute anything. */

import { fileResponse } from "../files/file-response.ts";
import { fileBody } from "../files/multipart.ts";
import { noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute } from "../http/route.ts";

export const uploadFile = operationRoute(
  "uploadFile",
  { limit: "upload", slots: "uploadSlots", body: fileBody },
  async ({ upstream, chatId, body, key }) => {
    const { item, replayed } = await upstream.uploadFile(chatId, body, { idempotencyKey: key });
    return jsonResponse(writeStatus("uploadFile", replayed), { item });
  },
);

export const downloadFile = operationRoute(
  "downloadFile",
  { limit: "download", body: noBody, caller: "own_pages_or_address_bar" },
  async ({ upstream, chatId, fileId, request, note, deferLog }) => {
    return fileResponse(await upstream.downloadFile(chatId, fileId, { signal: request.signal }), () => {
      const logLater = deferLog();
      return (outcome) => {
        note({ outcome });
        logLater();
      };
    });
  },
);
