import { toNextHandler } from "shop-chat/next";
import { chat } from "@/lib/chat";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandler(chat);
