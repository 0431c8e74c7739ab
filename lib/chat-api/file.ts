/** File (docs/chat-api.md, "File", "Operations"). */
import { z } from "zod";
import { fileIdPattern } from "./patterns.ts";
import { matching, orNull, Time } from "./schema-parts.ts";

export const File = z.object({
  id: matching(fileIdPattern, "a file ID").describe("Sent in a message's `fileIds`."),
  chatId: z.string().describe("The chat that it was uploaded to."),
  filename: z.string().describe("Name when uploaded."),
  mediaType: z.string().describe("The file's media type."),
  byteSize: z.int().nonnegative().describe("Size in bytes."),
  createdAt: Time.describe("When uploaded."),
  expiresAt: orNull(Time).describe(
    "When an unsent file is deleted; null once it has been sent with a message.",
  ),
});
export type File = z.infer<typeof File>;
