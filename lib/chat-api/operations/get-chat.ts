/** Reads a chat. */
import { z } from "zod";
import { Chat } from "../chat.ts";
import { exampleChat } from "./example-chat.ts";
import type { OperationContract } from "./operation-contract.ts";

export const getChat = {
  summary: "Get a chat",
  description: "The chat as it is now.",
  response: z.object({ item: Chat }),
  errors: ["chat_not_found"],
  example: { response: { item: exampleChat } },
} as const satisfies OperationContract;
