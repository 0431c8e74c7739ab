/** The shop's chat server. The kit needs one function of a host: which customer sent a request. */
import { createChatServer } from "#lib/bff/server.ts";
import { attempts } from "./attempts.ts";
import { createCustomerChats } from "./customer-chats.ts";
import { storeFeedback } from "./feedback.ts";
import { customerOf } from "./sign-in.ts";

/** Strangers who sign in as the same invented customer must not find each other's chats. */
const isShared = process.env["DEMO_IS_SHARED"] === "1";

export const chat = createChatServer({
  customerOf,
  onFeedback: (feedback) => storeFeedback(feedback),
  ...attempts,
  ...(isShared ? {} : { chats: createCustomerChats() }),
});
