/**
 * Sends the messages in the outbox, one per conversation at a time, until the outcome of each is known. A
 * lock per conversation lets only one tab send. After a reload, a crash or a lost connection the same request
 * goes out again under the same key.
 */
import { type ConversationRef, conversationName } from "../conversation-ref.ts";
import type { OutboxRecord } from "../outbox/outbox.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { type DeliveryContext, deliver } from "./deliver-message.ts";
import { newChat, renewCreateKey } from "./new-chat.ts";

export type DeliveryDeps = DeliveryContext & Pick<OwnerParts, "tabs">;

export type DeliveryLoop = ReturnType<typeof createDeliveryLoop>;

export function createDeliveryLoop(deps: DeliveryDeps) {
  const { outbox, tabs, signal } = deps;
  /** Names of the conversations that this tab sends for, or queues for. */
  const running = new Set<string>();

  const next = (name: string) =>
    outbox.all().find((record) => record.refusal === null && conversationName(record) === name);

  async function run(name: string): Promise<void> {
    await tabs.exclusively(`send:${name}`, async (ended, isStolen) => {
      const held = AbortSignal.any([signal, ended]);
      for (let record = next(name); record !== undefined && !held.aborted; record = next(name))
        await deliverAlone(record, held, isStolen);
    });
  }

  /**
   * A chat's first message is sent under a lock named after its create key, because the chat has no ID yet.
   * The tab that sends it may still hold that lock, so a message of a chat with an ID needs it, too. A tab
   * that a dialog has stopped holds both.
   */
  async function deliverAlone(record: OutboxRecord, held: AbortSignal, steal: boolean): Promise<void> {
    if (record.chatId === null) return deliver({ ...deps, signal: held }, record);
    const sendCurrent = async (ended: AbortSignal) => {
      const current = outbox.find(record.key);
      if (current?.refusal === null)
        await deliver({ ...deps, signal: AbortSignal.any([held, ended]) }, current);
    };
    await tabs.exclusively(`send:${record.createKey}`, sendCurrent, steal);
  }

  function sendDue(): void {
    if (signal.aborted) return;
    for (const record of outbox.all()) {
      const name = conversationName(record);
      if (record.refusal !== null || running.has(name)) continue;
      running.add(name);
      const end = () => running.delete(name);
      run(name)
        // After a first message its chat exists, so the messages that follow are sent under the chat's name.
        .then(() => end() && sendDue())
        .catch((error: unknown) => end() && deps.failureOf(error));
    }
  }

  return {
    /** Checks the outbox and sends what is due. */
    sendDue,
    newChat: (conversation: ConversationRef, locale: string) => newChat(deps, conversation, locale),
    /** Gives a new key to a conversation whose key leads to no chat. */
    renewCreateKey: (conversation: ConversationRef) => renewCreateKey(deps, conversation),
  };
}
