/** Routes of feedback (`onFeedback`) and lists of chats (`chats`), which the Chat API does not have. */
import { z } from "zod";
import { ChatApiError } from "../../chat-api/errors.ts";
import { feedbackLimits } from "../../chat-api/feedback.ts";
import { chatIdPattern } from "../../chat-api/patterns.ts";
import { utf16Max } from "../../chat-api/schema-parts.ts";
import { jsonBody } from "../http/body.ts";
import { checkChat, route } from "../http/route.ts";

const comment = utf16Max(feedbackLimits.commentLength).optional();
const Body = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.enum(["up", "down"]),
    messageId: utf16Max(feedbackLimits.messageIdLength).min(1),
    value: z.int().min(0).max(1),
    comment,
  }),
  z.strictObject({
    kind: z.literal("rating"),
    messageId: z.null(),
    value: z.int().min(0).max(feedbackLimits.rating),
    comment,
  }),
]);
const readFeedback = jsonBody(Body, feedbackLimits.bodyBytes);

/** Not aborted when the browser leaves: the customer has pressed the button. */
export const feedback = route(
  { name: "feedback", method: "POST", caller: "own_pages", session: "required", limit: "send" },
  async (call, { chatId = "" }) => {
    const { takeFeedback } = call.bff;
    if (takeFeedback === undefined) throw new ChatApiError("not_found");
    const { session, key } = await checkChat(call, chatId, "feedback", true);
    const body = await readFeedback(call);
    await takeFeedback({ id: String(key), customer: session.customer, chatId, ...body });
    return new Response(null, { status: 204 });
  },
);

/** Removes a chat ID from the customer's own list at the host (`chats`). Sends the Chat API nothing. */
export const forgetChat = route(
  { name: "forgetChat", method: "DELETE", caller: "own_pages", session: "required", limit: "send" },
  async ({ bff, session }, { chatId = "" }) => {
    if (!chatIdPattern.test(chatId)) throw new ChatApiError("invalid_id");
    const customer = session?.customer ?? null;
    if (bff.listedChats === undefined || customer === null) throw new ChatApiError("not_found");
    await bff.listedChats.forget(customer, chatId);
    return new Response(null, { status: 204 });
  },
);
