/** Clients of the lab and of the Chat API, for tests that need more than a customer can do. */
import { operationPath } from "#lib/chat-api/operations.ts";
import { type ChatClient, createChatClient } from "#lib/chat-client/client.ts";
import { contractParser } from "#lib/chat-client/contract-parser.ts";
import type { TestEnvironment } from "../processes/test-environment.ts";
import { testKeys } from "../test-keys.ts";
import { Lab } from "./lab-client.ts";

export type { Fault, Form, ImportedChat, ScriptedReply } from "./lab-client.ts";
export { Lab };

export function labClientOf(environment: Pick<TestEnvironment, "channelUrl" | "teamKey">): Lab {
  return new Lab({ baseUrl: environment.channelUrl, teamKey: environment.teamKey });
}

/**
 * A Chat API client without the BFF and without retries: another device, or direct access to the stored data.
 */
export function channelClient(
  environment: Pick<TestEnvironment, "channelUrl" | "channelKey" | "chatKey">,
): ChatClient {
  const base = `${environment.channelUrl}/v1/channels/${environment.channelKey}`;
  return createChatClient({
    url: (operation, ids) => base + operationPath(operation, ids),
    headers: () => ({ Authorization: `Bearer ${environment.chatKey}` }),
    parse: contractParser,
    retry: { delay: () => null },
  });
}

/** Resets every switch and the team's hours. The clock cannot go back. */
export async function resetLab(lab: Lab, hours: object | null): Promise<void> {
  await lab.setHours(hours);
  await lab.clearFaults();
  await lab.clearReplies();
  await lab.changeChannel({ published: true, suspended: false });
  await lab.changeLimits({
    chatsPerChannel: null,
    operationsPerChat: null,
    requestsPerMinute: null,
    concurrentTurns: null,
  });
  await lab.rotateChatKey(testKeys.chatKey);
}
