/** Files: sent up whole, sent down with a type and a disposition that cannot run anything. */

import { fileResponse } from "../files/file-response.ts";
import { fileBody } from "../files/multipart.ts";
import { noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute } from "../http/route.ts";

export const uploadFile = operationRoute(
  "uploadFile",
  { limit: "upload", places: "uploadPlaces", body: fileBody },
  async ({ bff, chatId, body, key, note }) => {
    const upstream = bff.upstream.client(note);
    const { item, replayed } = await upstream.uploadFile(chatId, body, { idempotencyKey: key });
    return jsonResponse(writeStatus("uploadFile", replayed), { item });
  },
);

export const downloadFile = operationRoute(
  "downloadFile",
  { limit: "download", body: noBody, caller: "own_pages_or_address_bar" },
  async ({ bff, chatId, fileId, request, note, goesOn }) => {
    const upstream = bff.upstream.client(note);
    return fileResponse(await upstream.downloadFile(chatId, fileId, { signal: request.signal }), () => {
      const logLater = goesOn();
      return (outcome) => {
        note({ outcome });
        logLater();
      };
    });
  },
);
