/** Creates chats for tests of handoffs. */
import type { HandoffOffer } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { TestChannel } from "./test-channel.ts";

/** A chat in which the agent has offered a handoff, optionally with a form to complete first. */
export async function offeredChat(
  channel: TestChannel,
  chat: object = {},
  details?: FormRequest,
): Promise<{ chatId: string; offer: HandoffOffer }> {
  const chatId = await channel.createChat(chat);
  channel.agent.answer(() => [
    { type: "text", text: "Shall I ask the team?" },
    { type: "offer_handoff", ...(details === undefined ? {} : { details }) },
  ]);
  const { body } = await channel.send(chatId, { text: "Can I speak to someone?" });
  const offer = body.item.reply?.handoffOffer;
  if (offer === null || offer === undefined) throw new Error("The agent has made no offer.");
  return { chatId, offer };
}

/** A chat that waits for the team. */
export async function waitingChat(channel: TestChannel): Promise<{ chatId: string; confirmationId: string }> {
  const { chatId, offer } = await offeredChat(channel);
  const { confirmationId } = offer;
  const { status } = await channel.call(`/chats/${chatId}/handoff`, { body: { confirmationId } });
  if (status !== 201) throw new Error(`The handoff was answered ${status}.`);
  return { chatId, confirmationId };
}
