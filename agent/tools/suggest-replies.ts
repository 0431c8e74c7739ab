import { z } from "zod";
import { defineTool } from "./tool.ts";

const Input = z.object({
  replies: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(6)
    .describe("Short replies, in the customer's language."),
});
type Input = z.infer<typeof Input>;

export const suggestRepliesTool = defineTool<Input, Input>({
  name: "suggest_replies",
  description:
    "Shows replies that the customer can pick with one tap, for example when a question can mean several things.",
  input: Input,
  run: (input) => input,
  report: () => ({ shown: true }),
  shows: ({ replies }) => ({ choices: replies }),
});
