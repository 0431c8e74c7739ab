import { endpoint } from "#lib/bff/entry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint("/chats/{chatId}/messages/latest");
