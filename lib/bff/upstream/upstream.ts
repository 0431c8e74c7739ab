/**
 * The Chat API as the routes see it: the client of the contract, with the chat key, whose failures arrive as what the
 * browser shall be told.
 */
import "server-only";
import { headerNames } from "#lib/chat-api/headers.ts";
import { operationPath } from "#lib/chat-api/operations.ts";
import {
  type ChatClient,
  createChatClient,
  type Fetch,
  type StreamedEvent,
} from "#lib/chat-client/client.ts";
import { contractParser } from "#lib/chat-client/contract-parser.ts";
import type { RetryPolicy } from "#lib/chat-client/retry-policy.ts";
import type { Config } from "../env.ts";
import { bffLimits } from "../limits.ts";
import type { LogFacts, Logger } from "../log.ts";
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
  faults: OperatorFaults;
}

const userAgent = "shop-chat-bff";

export function createUpstream({ config, log, fetch, retry, faults }: UpstreamOptions): Upstream {
  const { baseUrl, channelKey, chatKey } = config.upstream;
  const base = `${baseUrl}/v1/channels/${channelKey}`;
  const headers = { Authorization: `Bearer ${chatKey}`, "User-Agent": userAgent };

  return {
    client(note = () => undefined) {
      let requests = 0;
      const observed: Fetch = async (address, init) => {
        requests += 1;
        if (requests > 1) note({ upstreamRequests: requests });
        const response = await fetch(address, init);
        note({ upstreamStatus: response.status, upstreamRequestId: shortId(response.headers) });
        return response;
      };
      const client = createChatClient({
        url: (operation, ids) => base + operationPath(operation, ids),
        headers: () => headers,
        fetch: observed,
        parse: contractParser,
        retry,
        timeouts: {
          headers: bffLimits.upstreamHeadersTime,
          json: bffLimits.jsonTime,
          idle: bffLimits.streamIdleTime,
          stream: bffLimits.streamTime,
        },
      });
      return translated(client, (failure) => translateFailure(failure, { log, faults }));
    },
  };
}

const maxIdLength = 100;

/** Foreign text that goes to our log. */
function shortId(headers: Headers): string | undefined {
  return headers.get(headerNames.requestId)?.slice(0, maxIdLength);
}

/** Written out, method by method, so that a new operation cannot come through untranslated. */
function translated(client: ChatClient, translate: (failure: unknown) => unknown): ChatClient {
  const or = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (failure) {
      throw translate(failure);
    }
  };
  return {
    createChat: (...call) => or(client.createChat(...call)),
    getChat: (...call) => or(client.getChat(...call)),
    sendMessage: (...call) => or(client.sendMessage(...call)),
    streamMessage(...call) {
      const stream = client.streamMessage(...call);
      return {
        get replayed() {
          return stream.replayed;
        },
        [Symbol.asyncIterator]: () => translatedEvents(stream[Symbol.asyncIterator](), or),
      };
    },
    listMessages: (...call) => or(client.listMessages(...call)),
    uploadFile: (...call) => or(client.uploadFile(...call)),
    downloadFile: (...call) => or(client.downloadFile(...call)),
    getCollection: (...call) => or(client.getCollection(...call)),
    submitCollection: (...call) => or(client.submitCollection(...call)),
    handoff: (...call) => or(client.handoff(...call)),
  };
}

function translatedEvents(
  events: AsyncIterator<StreamedEvent>,
  or: <T>(answer: Promise<T>) => Promise<T>,
): AsyncIterator<StreamedEvent> {
  return {
    next: () => or(events.next()),
    return: async () => (await events.return?.()) ?? { done: true, value: undefined },
  };
}
