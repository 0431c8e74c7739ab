/** The routes' client of the Chat API: adds the chat key and translates errors for the browser. */
import { ChatApiError, responseOf } from "../../chat-api/errors.ts";
import { headerNames } from "../../chat-api/headers.ts";
import type { MessageTurn } from "../../chat-api/message.ts";
import { type OperationName, operationPath } from "../../chat-api/operations.ts";
import {
  type ChatClient,
  createChatClient,
  type StreamedEvent,
  type TurnStream,
} from "../../chat-client/client.ts";
import { contractParser } from "../../chat-client/contract-parser.ts";
import { ContractError } from "../../chat-client/errors.ts";
import type { AttemptError, Sleep } from "../../chat-client/retry.ts";
import type { Config } from "../configuration/env.ts";
import type { LogFacts, Logger, Observe, UpstreamResult } from "../observability/observe.ts";
import type { Circuit } from "./circuit.ts";
import type { OperatorErrors } from "./operator-errors.ts";
import { translateFailure } from "./translate.ts";
import type { Transport } from "./undici-fetch.ts";

/** Events and bytes are delivered by functions, so that all errors pass the translation. */
export interface UpstreamClient extends Omit<ChatClient, "streamMessage" | "downloadFile"> {
  streamMessage(...call: Parameters<ChatClient["streamMessage"]>): GuardedStream;
  downloadFile(...call: Parameters<ChatClient["downloadFile"]>): Promise<GuardedFile>;
}

/** A file's headers and its bytes as they arrive. Read to the end or cancel, to free the connection. */
export interface GuardedFile {
  headers: Headers;
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel(reason?: unknown): Promise<void>;
}

interface GuardedStream extends Pick<TurnStream, "read"> {
  /** Whether the first response was a replay. Undefined before the Chat API has accepted the request. */
  replayed(): boolean | undefined;
}

export interface Upstream {
  /** A client for one request, or for the readiness check. */
  client(scope?: CallScope): UpstreamClient;
}

/** The request that calls the Chat API. `note` receives the Chat API's request IDs for its log line. */
export interface CallScope {
  requestId: string;
  note(facts: LogFacts): void;
}

export interface UpstreamOptions {
  config: Config;
  log: Logger;
  observe: Observe;
  fetch: Transport["fetch"];
  circuit: Circuit;
  sleep: Sleep;
  operatorErrors: OperatorErrors;
}

const userAgent = "shop-chat-bff";

export function createUpstream({
  config,
  log,
  observe,
  fetch,
  circuit,
  sleep,
  operatorErrors,
}: UpstreamOptions): Upstream {
  const { baseUrl, channelKey, chatKey } = config.upstream;
  const base = `${baseUrl}/v1/channels/${channelKey}`;
  // Frozen, so that the client does not check the headers of each request; undici does.
  const headers = Object.freeze({ authorization: `Bearer ${chatKey}`, "user-agent": userAgent });

  return {
    client({ requestId, note }: Partial<CallScope> = {}) {
      let requests = 0;
      let startedAt = 0;
      const observed: Transport["fetch"] = async (address, init) => {
        requests += 1;
        if (requests > 1) note?.({ upstreamRequests: requests });
        const response = await fetch(address, init);
        note?.({ upstreamStatus: response.status, upstreamRequestId: shortId(response.headers) });
        return response;
      };
      const client = createChatClient({
        url: (operation, ids) => base + operationPath(operation, ids),
        headers: () => headers,
        fetch: observed,
        parse: contractParser,
        retry: {
          ...circuit,
          admit(attempt) {
            circuit.admit(attempt);
            startedAt = performance.now();
          },
          observe(attempt, error) {
            circuit.observe(attempt, error);
            const { operation } = attempt;
            const outcome = error === undefined ? "ok" : "code" in error ? error.code : error.kind;
            const result = resultOf(error);
            const milliseconds = Math.round(performance.now() - startedAt);
            observe({ type: "upstream", requestId, operation, outcome, result, milliseconds });
            // A success, or an error about one chat or request, proves that the Chat API serves the shop.
            if (error === undefined || isRelayed(error)) operatorErrors.clear();
          },
        },
        sleep,
      });
      return guarded(client, (failure) => translateFailure(failure, { log, operatorErrors }));
    },
  };
}

function isRelayed(error: AttemptError): error is ChatApiError {
  return error instanceof ChatApiError && responseOf(error.code).relay === "pass";
}

/** A refusal concerns one chat or request. A 429 slows the whole shop, so it counts as a failure. */
function resultOf(error: AttemptError | undefined): UpstreamResult {
  if (error === undefined) return "ok";
  return isRelayed(error) && error.status < 500 && error.status !== 429 ? "refused" : "failed";
}

const maxIdLength = 100;

/** The Chat API's request ID, shortened because it is foreign text in our log. */
function shortId(headers: Pick<Headers, "get">): string | undefined {
  return headers.get(headerNames.requestId)?.slice(0, maxIdLength);
}

/**
 * Each method is written out, so that a new operation cannot pass untranslated and a response that names
 * another chat never reaches a browser.
 */
function guarded(client: ChatClient, translate: (failure: unknown) => unknown): UpstreamClient {
  const or = async <T>(response: Promise<T>, check?: (response: T) => void): Promise<T> => {
    try {
      const result = await response;
      check?.(result);
      return result;
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
        replayed: () => stream.replayed,
        read: (onEvent) =>
          or(
            stream.read((event) => {
              requireSameEvent(chatId, event);
              onEvent(event);
            }),
          ),
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
    async downloadFile(chatId, fileId, call) {
      const { body, headers } = await or(client.downloadFile(chatId, fileId, call));
      const reader = (body ?? new Blob().stream()).getReader();
      return { headers, read: () => or(reader.read()), cancel: (reason) => reader.cancel(reason) };
    },
    getCollection: (chatId, call) => or(client.getCollection(chatId, call)),
    submitCollection: (chatId, body, call) => or(client.submitCollection(chatId, body, call)),
    handoff: (chatId, body, call) =>
      or(client.handoff(chatId, body, call), ({ item }) => requireSame("handoff", chatId, item.id)),
  };
}

function requireSame(operation: OperationName, requested: string | undefined, ...ids: string[]): void {
  if (ids.every((id) => id === requested)) return;
  throw new ContractError(operation, "shape", "the response is about another chat or customer", undefined);
}

function requireSameTurn(chatId: string, { message, reply, chat }: MessageTurn): void {
  requireSame("sendMessage", chatId, chat.id, message.chatId, ...(reply === null ? [] : [reply.chatId]));
}

function requireSameEvent(chatId: string, event: StreamedEvent): void {
  if (event.type === "start") requireSame("sendMessage", chatId, event.chatId);
  if (event.type === "done") requireSameTurn(chatId, event.item);
}
