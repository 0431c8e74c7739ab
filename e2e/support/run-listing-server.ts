/**
 * A chat server whose customers find their chats on every device, for journeys: with the demo shop's store,
 * in the folder `CUSTOMER_CHATS`. Its environment is that of `npm run bff`.
 */
import { createNodeServer } from "#lib/bff/node.ts";
import { createChatServer } from "#lib/bff/server.ts";
import { createCustomerChats } from "#lib/shop/server/customer-chats.ts";
import { customerOf } from "#lib/shop/server/sign-in.ts";

const chat = createChatServer({ customerOf, chats: createCustomerChats(process.env["CUSTOMER_CHATS"]) });
await chat.start();
createNodeServer(chat).listen(Number(process.env["PORT"]));
