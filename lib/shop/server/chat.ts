/** The shop's chat: everything that the kit needs from a host. */
import { createChatServer } from "#lib/bff/server.ts";
import { customerOf } from "./sign-in.ts";

export const chat = createChatServer({ customerOf });
