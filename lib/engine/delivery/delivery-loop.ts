/**
 * Sends the messages in the outbox, one per conversation at a time, until the outcome of each is known. A
 * lock per conversation lets only one tab send: the one in which the customer has pressed Send, which shows
 * the reply as it grows, or another one once that has closed. After a reload, a crash or a lost connection
 * the same request goes out again under the same key.
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

  /** The messages to send, in their order. */
  const due = () => outbox.all().filter(({ refusal }) => refusal === null);
  const next = (name: string) => due().find((record) => conversationName(record) === name);

  /**
   * Sends the conversation's messages when it is this tab's turn, and gives way at each one of another tab:
   * that also waits for its turn, unless it has closed. So this tab sends the message at which it gave way if
   * that is still the first at its next turn.
   */
  async function run(name: string, waitedFor?: string): Promise<void> {
    let hasSent = false;
    const others = await tabs.exclusively(`send:${name}`, async (ended, isStolen) => {
      const held = AbortSignal.any([signal, ended]);
      for (let record = next(name); record !== undefined && !held.aborted; record = next(name)) {
        const takesOver = record.key === waitedFor || (isStolen && !hasSent);
        if (!outbox.isOfPage(record.key) && !takesOver) return record.key;
        hasSent = true;
        await deliverAlone(record, held, isStolen);
      }
      return undefined;
    });
    // What was just sent may still be the first in the tab whose turn comes next, which gives way then.
    if (others !== undefined) await run(name, hasSent ? undefined : others);
  }

  /**
   * A conversation's name changes while its message is on its way: when its chat gets an ID, or its create
   * key is renewed. So the message has a lock as well. A tab that a dialog has stopped holds both.
   */
  async function deliverAlone({ key }: OutboxRecord, held: AbortSignal, steal: boolean): Promise<void> {
    const sendCurrent = async (ended: AbortSignal) => {
      const current = outbox.find(key);
      if (current?.refusal === null)
        await deliver({ ...deps, signal: AbortSignal.any([held, ended]) }, current);
    };
    await tabs.exclusively(`send:${key}`, sendCurrent, steal);
  }

  function sendDue(records = due()): void {
    if (signal.aborted) return;
    for (const { key } of records) {
      const record = outbox.find(key);
      if (record === null || record.refusal !== null) continue;
      const name = conversationName(record);
      if (running.has(name)) continue;
      running.add(name);
      const end = () => running.delete(name);
      run(name)
        // After a first message its chat exists, so the messages that follow are sent under the chat's name.
        .then(() => end() && sendDue())
        .catch((error: unknown) => end() && deps.failureOf(error));
    }
  }

  /** Queues for this page's messages again: their chat may have got its ID, and then has another lock. */
  const sendOwn = () => sendDue(due().filter(({ key }) => outbox.isOfPage(key)));

  return {
    due,
    /** Sends what is due, or these of it. */
    sendDue,
    sendOwn,
    /** Creates the chat for a file, while messages may wait for their turn. Returns the chat's ID. */
    newChat: async (conversation: ConversationRef, locale: string) => {
      const chatId = await newChat(deps, conversation, locale);
      sendOwn();
      return chatId;
    },
    /** Gives a new key to a conversation whose key leads to no chat. */
    renewCreateKey: (conversation: ConversationRef) => renewCreateKey(deps, conversation),
  };
}
