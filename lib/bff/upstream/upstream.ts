/**
 * The Chat API as the routes see it: the client of the contract, with the chat key, whose failures arrive as what the
 * browser shall be told.
 */
import "server-only";
import { headerNames } from "#lib/chat-api/headers.ts";
import { limits as contractLimits } from "#lib/chat-api/limits.ts";
import type { MessageTurn } from "#lib/chat-api/message.ts";
import { type OperationName, operationPath } from "#lib/chat-api/operations.ts";
import {
  type ChatClient,
  createChatClient,
  type Fetch,
  type StreamedEvent,
} from "#lib/chat-client/client.ts";
import { contractParser } from "#lib/chat-client/contract-parser.ts";
import { ContractError } from "#lib/chat-client/errors.ts";
import type { RetryPolicy } from "#lib/chat-client/retry-policy.ts";
import type { Sleep } from "#lib/chat-client/sleep.ts";
import type { Config } from "../env.ts";
import { bffLimits } from "../limits.ts";
import type { LogFacts, Logger } from "../log.ts";
import { traced } from "../tracing.ts";
import type { OperatorFaults } from "./operator-faults.ts";
import { translateFailure } from "./translate.ts";

export interface Upstream {
  /** A client for one request; what the Chat API calls our requests goes to `note`. */
  client(note?: (facts: LogFacts) => void): ChatClient;
}

export interface UpstreamOptions {
  config: Config;
  log: Logger;
  fetch: Fetch;
  retry: RetryPolicy;
  sleep: Sleep;
  faults: OperatorFaults;
}

const userAgent = "shop-chat-bff";

export function createUpstream({ config, log, fetch, retry, sleep, faults }: UpstreamOptions): Upstream {
  const { baseUrl, channelKey, chatKey } = config.upstream;
  const base = `${baseUrl}/v1/channels/${channelKey}`;
  const headers = { Authorization: `Bearer ${chatKey}`, "User-Agent": userAgent };

  return {
    client(note = () => undefined) {
      let requests = 0;
      const observed: Fetch = async (address, init) => {
        requests += 1;
        if (requests > 1) note({ upstreamRequests: requests });
        const response = await traced({ name: "chat-api request" }, async (span) => {
          const answered = await fetch(address, init);
          span.setAttribute("http.response.status_code", answered.status);
          return answered;
        });
        note({ upstreamStatus: response.status, upstreamRequestId: shortId(response.headers) });
        return response;
      };
      const client = createChatClient({
        url: (operation, ids) => base + operationPath(operation, ids),
        headers: () => headers,
        fetch: observed,
        parse: contractParser,
        retry,
        sleep,
        timeouts: {
          headers: bffLimits.upstreamHeadersTime,
          json: bffLimits.jsonTime,
          idle: bffLimits.streamIdleTime,
          stream: bffLimits.streamTime,
        },
        limits: {
          jsonBytes: bffLimits.upstreamJsonBytes,
          eventLength: bffLimits.upstreamEventLength,
          fileBytes: contractLimits.fileBytes,
        },
      });
      return guarded(client, (failure) => translateFailure(failure, { log, faults }));
    },
  };
}

const maxIdLength = 100;

/** Foreign text that goes to our log. */
function shortId(headers: Headers): string | undefined {
  return headers.get(headerNames.requestId)?.slice(0, maxIdLength);
}

/**
 * Written out, method by method, so that a new operation cannot come through untranslated, and so that an answer about
 * another chat than the one asked for never reaches a browser.
 */
function guarded(client: ChatClient, translate: (failure: unknown) => unknown): ChatClient {
  const or = async <T>(answer: Promise<T>, check?: (answer: T) => void): Promise<T> => {
    try {
      const given = await answer;
      check?.(given);
      return given;
    } catch (failure) {
      throw translate(failure);
    }
  };
  return {
    createChat: (body, call) =>
      or(client.createChat(body, call), ({ item }) => requireSame("createChat", body.userId, item.userId)),
    getChat: (chatId, call) =>
      or(client.getChat(chatId, call), (chat) => requireSame("getChat", chatId, chat.id)),
    sendMessage: (chatId, body, call) =>
      or(client.sendMessage(chatId, body, call), ({ item }) => requireSameTurn(chatId, item)),
    streamMessage(chatId, body, call) {
      const stream = client.streamMessage(chatId, body, call);
      return {
        get replayed() {
          return stream.replayed;
        },
        [Symbol.asyncIterator]() {
          const events = stream[Symbol.asyncIterator]();
          return {
            next: () => or(events.next(), (result) => requireSameEvent(chatId, result)),
            return: async () => (await events.return?.()) ?? { done: true, value: undefined },
          };
        },
      };
    },
    listMessages: (chatId, query, call) =>
      or(client.listMessages(chatId, query, call), ({ items }) =>
        requireSame("listMessages", chatId, ...items.map((message) => message.chatId)),
      ),
    uploadFile: (chatId, upload, call) =>
      or(client.uploadFile(chatId, upload, call), ({ item }) =>
        requireSame("uploadFile", chatId, item.chatId),
      ),
    downloadFile: async (chatId, fileId, call) =>
      withBody(await or(client.downloadFile(chatId, fileId, call)), (piece) => or(piece)),
    getCollection: (chatId, call) => or(client.getCollection(chatId, call)),
    submitCollection: (chatId, body, call) => or(client.submitCollection(chatId, body, call)),
    handoff: (chatId, body, call) =>
      or(client.handoff(chatId, body, call), ({ item }) => requireSame("handoff", chatId, item.id)),
  };
}

type Piece = ReadableStreamReadResult<Uint8Array>;

/** The answer whose body is read through `read`. */
function withBody(
  { body, status, headers }: Response,
  read: (piece: Promise<Piece>) => Promise<Piece>,
): Response {
  const reader = body?.getReader();
  if (reader === undefined) return new Response(null, { status, headers });
  const pieces = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await read(reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(pieces, { status, headers });
}

function requireSame(operation: OperationName, asked: string | undefined, ...answered: string[]): void {
  if (answered.every((id) => id === asked)) return;
  throw new ContractError(operation, "shape", "the answer is about another chat or customer", undefined);
}

function requireSameTurn(chatId: string, { message, reply, chat }: MessageTurn): void {
  requireSame("sendMessage", chatId, chat.id, message.chatId, ...(reply === null ? [] : [reply.chatId]));
}

function requireSameEvent(chatId: string, { done, value }: IteratorResult<StreamedEvent, unknown>): void {
  if (done === true) return;
  if (value.type === "start") requireSame("sendMessage", chatId, value.chatId);
  if (value.type === "done") requireSameTurn(chatId, value.item);
}
