import { z } from "zod";
import { defineTool } from "./tool.ts";

export const suggestRepliesTool = defineTool({
  description:
    "Shows replies that the customer can pick with one tap, for example when a question can mean several things.",
  input: z.object({
    replies: z
      .array(z.string().min(1).max(80))
      .min(1)
      .max(6)
      .describe("Short replies, in the customer's language."),
  }),
  use: ({ replies }) => ({ report: { shown: true }, shows: { choices: replies } }),
});
