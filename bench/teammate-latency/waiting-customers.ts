/** Customers who wait for the team without a browser: each polls the BFF as the chat does. */
import { setTimeout as pause } from "node:timers/promises";
import { createHistoryReader } from "#components/chat/runtime/history/history-reader.ts";
import type { ReadLatest } from "#components/chat/runtime/history/latest-messages.ts";
import { memoryStorage } from "#components/chat/runtime/testing/memory-storage.ts";
import { operationPath } from "#lib/chat-api/operations.ts";
import { type ChatClient, createChatClient } from "#lib/chat-client/client.ts";
import { contractParser } from "#lib/chat-client/contract-parser.ts";
import { conversationLimits } from "#lib/conversation/limits.ts";
import { pageHeaders, startSession } from "../../e2e/bff/shop-browser.ts";
import type { Lab } from "../../testing/lab/lab-client.ts";

export interface WaitingCustomer {
  chatId: string;
  client: ChatClient;
}

/** The results of polling. `milliseconds` has one entry for each answered poll. */
export interface PollTally {
  milliseconds: number[];
  failures: unknown[];
}

/** A guest who has been passed to the team, by the same requests as the page makes. */
export async function newWaitingCustomer(shopUrl: string, lab: Lab): Promise<WaitingCustomer> {
  const { cookie } = await startSession(shopUrl);
  const client = createChatClient({
    url: (operation, ids) => `${shopUrl}/api/chat${operationPath(operation, ids)}`,
    headers: () => ({ ...pageHeaders, origin: shopUrl, cookie }),
    parse: contractParser,
    // A page retries a failed read; here every failure counts.
    retry: { delay: () => null },
  });
  const call = () => ({ idempotencyKey: crypto.randomUUID() });
  const { item: chat } = await client.createChat({}, call());
  await lab.reply({ text: "I can pass you on.", handoffOffer: true }, chat.id);
  const { item: turn } = await client.sendMessage(chat.id, { text: "a person, please" }, call());
  const confirmationId = turn.reply?.handoffOffer?.confirmationId;
  if (confirmationId === undefined) throw new Error("the agent offered no handoff");
  const { item: waiting } = await client.handoff(
    chat.id,
    { confirmationId, email: "ann@example.com" },
    call(),
  );
  if (waiting.mode !== "waiting") throw new Error(`the chat is ${waiting.mode}`);
  return { chatId: chat.id, client };
}

/** Polls for news as `ConversationSync` does in a visible page, until the signal aborts. */
export async function pollForNews(
  { chatId, client }: WaitingCustomer,
  tally: PollTally,
  signal: AbortSignal,
): Promise<void> {
  const interval = conversationLimits.pollWithTeam;
  /** Called once, when the chat opens. The chat has few messages, so the first page is the whole chat. */
  async function readWhole(): ReturnType<ReadLatest> {
    const { items } = await client.listMessages(chatId);
    return { messages: items, starts: [null], first: 0, nextCursor: null };
  }

  const reader = createHistoryReader({ client, readLatest: readWhole, chatId, storage: memoryStorage() });
  await Promise.all([client.getChat(chatId), reader.readEnd()]);
  // Spreads the polls, because customers do not open their pages all at once.
  await rest(Math.random() * interval, signal);
  for (let polls = 0; !signal.aborted; polls += 1) {
    const started = performance.now();
    try {
      const withChat = polls % conversationLimits.pollsPerChatRead === 0;
      await Promise.all([reader.readNews(), withChat ? client.getChat(chatId) : null]);
      tally.milliseconds.push(performance.now() - started);
    } catch (error) {
      tally.failures.push(error);
    }
    await rest(interval, signal);
  }
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
