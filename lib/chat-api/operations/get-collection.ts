/** Reads the details collected in a chat, and its open form. */
import { z } from "zod";
import { Collection } from "../collection.ts";
import { exampleCollection } from "./example-chat.ts";
import type { OperationContract } from "./operation-contract.ts";

export const getCollection = {
  summary: "Get the collection",
  description: "The details collected in the chat, and the form that is open, if one is.",
  response: z.object({ item: Collection }),
  errors: ["chat_not_found"],
  example: { response: { item: exampleCollection } },
} as const satisfies OperationContract;
