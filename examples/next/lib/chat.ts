import { createChatServer } from "shop-chat/server";
import { customerOf } from "./sign-in";

export const chat = createChatServer({ customerOf });
