/** Schemas of the turn stream's events (docs/chat-api.md, "The turn stream"). Servers only: imports zod. */
import { z } from "zod";
import { MessageTurn } from "./message.ts";
import { ErrorResponse } from "./operation-schemas.ts";
import { orNull } from "./schema-parts.ts";

export const turnEventSchemas = {
  start: z.object({
    chatId: z.string(),
    requestId: z.string(),
    messageId: z.string(),
    replyId: orNull(z.string()),
  }),
  delta: z.object({ text: z.string() }),
  done: z.object({ item: MessageTurn }),
  error: ErrorResponse,
} as const;
