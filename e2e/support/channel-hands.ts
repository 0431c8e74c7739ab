/** The channel's switches and the Chat API itself, for tests that bring about what a customer cannot. */
import { operationPath } from "#lib/chat-api/operations.ts";
import { type ChatClient, createChatClient } from "#lib/chat-client/client.ts";
import { contractParser } from "#lib/chat-client/contract-parser.ts";
import { Lab } from "../../scripts/demo-seed/lab.ts";
import { testKeys, type World } from "./world.ts";

export type { Fault, Form, ImportedChat, ScriptedReply } from "../../scripts/demo-seed/lab.ts";
export { Lab };

export function labOf(world: Pick<World, "channelUrl" | "teamKey">): Lab {
  return new Lab({ baseUrl: world.channelUrl, teamKey: world.teamKey });
}

/** The Chat API without the BFF: another device of the customer's, or a look behind the scenes. Nothing is repeated. */
export function channelClient(world: Pick<World, "channelUrl" | "channelKey" | "chatKey">): ChatClient {
  const base = `${world.channelUrl}/v1/channels/${world.channelKey}`;
  return createChatClient({
    url: (operation, ids) => base + operationPath(operation, ids),
    headers: () => ({ Authorization: `Bearer ${world.chatKey}` }),
    parse: contractParser,
    retry: { delay: () => null },
  });
}

/** Every switch back to where it was, the team's hours to `hours`; only the clock has moved on. */
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
