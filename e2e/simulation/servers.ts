/** The chat servers of the shop, in the only file that knows how one is made. */

import { chatServerOf } from "#lib/bff/chat-server/chat-server.ts";
import type { Feedback } from "#lib/bff/chats/host.ts";
import { readConfig } from "#lib/bff/configuration/env.ts";
import { createBff } from "#lib/bff/http/bff.ts";
import { rateLimitTable } from "#lib/bff/limits/rate-limits.ts";
import { createLog } from "#lib/bff/observability/log.ts";
import type { Customer, GuestChats } from "#lib/bff/session/customer.ts";
import { defaultBasePath } from "#lib/chat-api/base-path.ts";
import type { Fetch } from "#lib/chat-client/connection.ts";
import type { Server } from "./network.ts";
import { createActor, type Scheduler } from "./scheduler.ts";

export const shopOrigin = "https://shop.example";
export const apiOrigin = "https://api.example";
export const channelKey = "dep_simulation";
export const chatKey = "ck_simulation";

export interface ShopSettings {
  guestChats: GuestChats;
  isLimited: boolean;
  /** Where the host stores feedback; null if it takes none. */
  onFeedback: ((feedback: Feedback) => void) | null;
  customerOf(token: string): Customer | null;
}

export interface ProcessSettings {
  /** `SESSION_SECRET`. */
  secrets: string;
  clockOffset: number;
  /** Its session says nothing of former tags and the last chat. */
  isOlderVersion: boolean;
}

export interface ChatServerProcess extends Server {
  /** SIGTERM. Resolves when it would exit. */
  stop(): Promise<void>;
}

const unlimited = { perSession: [], perAddress: [], everyone: [] };
const noRates = Object.fromEntries(Object.keys(rateLimitTable).map((name) => [name, unlimited]));

export function startChatServer(
  name: string,
  scheduler: Scheduler,
  { guestChats, isLimited, onFeedback, customerOf }: ShopSettings,
  { secrets, clockOffset, isOlderVersion }: ProcessSettings,
  fetchOf: (server: Server) => Fetch,
): ChatServerProcess {
  const actor = createActor(name, clockOffset);
  const config = readConfig({
    NODE_ENV: "production",
    APP_ORIGIN: shopOrigin,
    CHAT_BASE_URL: apiOrigin,
    CHAT_CHANNEL_KEY: channelKey,
    CHAT_KEY: chatKey,
    SESSION_SECRET: secrets,
    LOG_LEVEL: "silent",
  });
  const server: ChatServerProcess = {
    actor,
    async handle(request) {
      const response = await chat.handle(request, {
        peerAddress: request.headers.get("x-peer") ?? undefined,
      });
      return isOlderVersion && response.ok && request.url.endsWith("/session") ? older(response) : response;
    },
    stop: () => chat.stop(),
  };
  scheduler.become(actor);
  const bff = createBff(config, {
    log: createLog({ level: "silent", secrets: [], destination: { write: () => undefined } }),
    guestChats,
    customerOf: (request) => customerOf(cookieOf(request, hostCookie)),
    ...(onFeedback !== null && { onFeedback }),
    limits: isLimited ? {} : { rates: noRates },
    fetch: fetchOf(server),
  });
  const chat = chatServerOf(defaultBasePath, () => ({ bff, observe: bff.observe }));
  return server;
}

async function older(response: Response): Promise<Response> {
  const { status, headers } = response;
  const { item } = await response.json();
  const { caller, customer, takesFeedback } = item;
  headers.delete("content-length");
  return Response.json({ item: { caller, customer, takesFeedback } }, { status, headers });
}

export const hostCookie = "host";

function cookieOf({ headers }: Request, name: string): string {
  const pairs = (headers.get("cookie") ?? "").split("; ");
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}
