import { toNextHandler } from "#lib/bff/next.ts";
import { chat } from "#lib/shop/server/chat.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandler(chat);
