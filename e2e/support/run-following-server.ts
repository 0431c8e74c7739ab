/** A chat server that lets a guest's chats follow, for journeys. Its environment is that of `npm run bff`. */
import { createNodeServer } from "#lib/bff/node.ts";
import { createChatServer } from "#lib/bff/server.ts";
import { customerOf } from "#lib/shop/server/sign-in.ts";

const chat = createChatServer({ customerOf, guestChats: "follow" });
await chat.start();
createNodeServer(chat).listen(Number(process.env["PORT"]));
