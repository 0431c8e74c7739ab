import { operationPath } from "#lib/chat-api/operations.ts";
import { type ChatClient, type ChatClientOptions, createChatClient } from "#lib/chat-client/client.ts";
import { contractParser } from "#lib/chat-client/contract-parser.ts";

/** A Chat API client without the BFF: another device, or direct access to the stored data. */
export function channelClient(
  channel: { channelUrl: string; channelKey: string; chatKey: string },
  options: Pick<ChatClientOptions, "retry"> = {},
): ChatClient {
  const base = `${channel.channelUrl}/v1/channels/${channel.channelKey}`;
  return createChatClient({
    url: (operation, ids) => base + operationPath(operation, ids),
    headers: () => ({ Authorization: `Bearer ${channel.chatKey}` }),
    parse: contractParser,
    ...options,
  });
}
