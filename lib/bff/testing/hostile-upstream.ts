/**
 * An upstream that misbehaves on purpose: it speaks raw HTTP in place of the Chat API, records the BFF's
 * requests and responds as the test says. Tests of correct behaviour run the real channel.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { listenLocally } from "../../../testing/local-server.ts";
import { operationPath } from "../../chat-api/operations.ts";
import {
  chatId,
  aChat as contractChat,
  aMessage as contractMessage,
} from "../../chat-api/testing/builders.ts";
import { encodeTurnEvent } from "../../chat-api/turn-events.ts";
import { aStart } from "../../chat-client/testing/streams.ts";

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Responder = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

export type HostileUpstream = Awaited<ReturnType<typeof startHostileUpstream>>;

export const testChannelKey = "dep_hostile_tests";

async function readAll(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("latin1");
}

/** `GET /chats/abc/messages` for a request to the channel's own paths. */
function nameOf(request: IncomingMessage): string {
  const prefix = `/v1/channels/${testChannelKey}`;
  const path = (request.url ?? "").split("?", 1).join("");
  return `${request.method} ${path.startsWith(prefix) ? path.slice(prefix.length) : path}`;
}

export async function startHostileUpstream() {
  const responders = new Map<string, Responder>();
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    const recorded = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    seen.push(recorded);
    const respond = responders.get(nameOf(request)) ?? responders.get("*");
    if (respond === undefined) return void json(response, 404, errorBody("chat_not_found"));
    await respond(recorded, response);
  });
  const port = await listenLocally(server);

  /**
   * Replaces the responses to one method and path below the channel (`GET /chats/{chatId}`), or to everything
   * (`*`).
   */
  const on = (what: string, respond: Responder) => void responders.set(what, respond);
  return {
    channelUrl: `http://127.0.0.1:${port}`,
    channelKey: testChannelKey,
    /** Every request since the last `forget`, in order. */
    seen,
    on,
    /** Always responds with this JSON. */
    respond: (what: string, status: number, body: unknown, headers?: Record<string, string>) =>
      on(what, (_, response) => json(response, status, body, headers)),
    /** Creates a chat of the requested user, once for each key. */
    createsChats(id = chatId) {
      const keys = new Set<unknown>();
      on("POST /chats", ({ body, headers }, response) => {
        const key = headers["idempotency-key"];
        json(response, keys.has(key) ? 200 : 201, { item: aChat(JSON.parse(body).userId, { id }) });
        keys.add(key);
      });
    },
    forget() {
      seen.length = 0;
      responders.clear();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "up_1", ...headers });
  response.end(JSON.stringify(body));
}

export const emptyPage = { items: [], nextCursor: null };

/** Begins a turn's stream and leaves it open. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(201, { "content-type": "text/event-stream" });
  response.write(encodeTurnEvent(aStart({ messageId: "msg_0001", replyId: "msg_0002" })));
}

export function errorBody(code: string, more: object = {}) {
  return { error: { code, message: "upstream's own words", requestId: "up_1", ...more } };
}

/** A chat in the Chat API's format. */
export const aChat = (userId: string, more: object = {}) => ({
  ...contractChat({ channelKey: testChannelKey, userId }),
  ...more,
});

export const aMessage = (more: object = {}) => ({
  ...contractMessage({ id: "msg_0001", text: "hello" }),
  ...more,
});

/** Answers reads of the owner's chat, and leaves everything else unchanged. */
export function ownChat(upstream: HostileUpstream, userId: string, chatId = "chat_0001"): void {
  upstream.on(`GET ${operationPath("getChat", { chatId })}`, (_, response) =>
    json(response, 200, { item: aChat(userId, { id: chatId }) }),
  );
}
