import { z } from "zod";
import { defineTool } from "./tool.ts";

export const suggestRepliesTool = defineTool({
  input: z.object({ replies: z.array(z.string().min(1).max(80)).min(1).max(6) }),
  use: ({ replies }) => ({ report: { shown: true }, shows: { choices: replies } }),
});
