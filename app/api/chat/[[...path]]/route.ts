import { toNextHandler } from "#lib/bff/next.ts";
import { chat } from "#lib/shop/server/chat.ts";

export const runtime = "nodejs";
// In seconds, where the platform ends calls: a reply streams for 15 minutes at most.
export const maxDuration = 900;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandler(chat);
