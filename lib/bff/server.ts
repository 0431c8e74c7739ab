/**
 * The public surface of the chat server. Adapters: `next.ts`, `node.ts`; for pages: `pages.ts`; anything on
 * web standards calls `handle` itself.
 */
export { type ChatServer, createChatServer } from "./chat-server/chat-server.ts";
export type { CustomerChats, Feedback, OnFeedback } from "./chats/host.ts";
export {
  type Config,
  ConfigurationError,
  configurationWarnings,
  type Environment,
  type Problem,
  readConfig,
} from "./configuration/env.ts";
export type { ChatServerOptions, RequestContext, ServerLimits } from "./http/options.ts";
export { type ChatDirectivesOptions, chatDirectives } from "./http/page-policy.ts";
export type { CallCounts, Rate } from "./limits/call-counts.ts";
export type { ChatEvent, Observe } from "./observability/observe.ts";
export {
  type AdmitGuest,
  type Customer,
  type CustomerOf,
  type GuestChats,
  userIdOfCustomer,
} from "./session/customer.ts";
