/**
 * The chat servers of `own-servers.rare.spec.ts`; the argument says which. Their environment is that of
 * `npm run bff`.
 */
import { createServer } from "node:http";
import { toNodeHandler } from "#lib/bff/node.ts";
import { createChatServer } from "#lib/bff/server.ts";
import { createCustomerChats } from "#lib/shop/server/customer-chats.ts";
import { customerOf } from "#lib/shop/server/sign-in.ts";
import type { OwnServerKind } from "./own-server.ts";

const kinds = {
  /** A guest's chats follow at a sign-in. */
  following: () => [createChatServer({ customerOf, guestChats: "follow" })],
  /** Customers find their chats on every device: the demo shop's store is in the folder `CUSTOMER_CHATS`. */
  listing: () => [
    createChatServer({ customerOf, chats: createCustomerChats(process.env["CUSTOMER_CHATS"]) }),
  ],
  /** Two chat servers at one origin, each with another agent. */
  two: () => [
    createChatServer(),
    createChatServer({
      basePath: "/repairs/chat",
      configuration: {
        CHAT_CHANNEL_KEY: process.env["REPAIRS_CHANNEL_KEY"],
        CHAT_KEY: process.env["REPAIRS_CHAT_KEY"],
      },
    }),
  ],
} satisfies Record<OwnServerKind, () => unknown>;

const servers = kinds[process.argv[2] as OwnServerKind]();
await Promise.all(servers.map((server) => server.start()));
const [first, second] = servers.map(toNodeHandler);
createServer((request, response) => first?.(request, response, () => second?.(request, response))).listen(
  Number(process.env["PORT"]),
);
