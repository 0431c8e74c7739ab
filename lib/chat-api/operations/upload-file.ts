/** Stores a file, for a message to be sent with it. */
import { z } from "zod";
import { limits } from "../limits.ts";
import { File } from "../message.ts";
import { exampleChat } from "./example-chat.ts";
import type { OperationContract } from "./operation-contract.ts";

export const uploadFile = {
  summary: "Upload a file",
  description: "Stores a file. If no message is sent with it within a day, it is deleted.",
  body: "file",
  maxBodyBytes: limits.fileBytes,
  response: z.object({ item: File }),
  errors: [
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
  example: {
    response: {
      item: {
        id: "file_5vQ3wEr7TyUi9oPaSdFgHj",
        chatId: exampleChat.id,
        filename: "front-wheel.jpg",
        mediaType: "image/jpeg",
        byteSize: 184_211,
        createdAt: "2026-11-20T09:31:00.000Z",
        expiresAt: "2026-11-21T09:31:00.000Z",
      },
    },
  },
} as const satisfies OperationContract;
