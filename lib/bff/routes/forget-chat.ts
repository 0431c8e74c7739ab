/** Removes a chat ID from the customer's list at the host (`chats`), whoever owns the chat. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { chatIdPattern } from "../../chat-api/patterns.ts";
import { route } from "../http/route.ts";

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
