/** The lab and the team inbox of the shared channel, limited to switches that affect a single chat. */
import {
  type Fault,
  type Form,
  type ImportedChat,
  Lab,
  type ScriptedReply,
} from "../../channel/lab/lab-client.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { type ChatPage, expect } from "./chat-page.ts";

export const channelUrl = `http://127.0.0.1:${process.env["E2E_CHANNEL_PORT"] ?? "4900"}`;

/** The environment of chat servers in front of the shared channel. */
export const chatServerVariables = {
  CHAT_BASE_URL: channelUrl,
  CHAT_CHANNEL_KEY: testKeys.channelKey,
  CHAT_KEY: testKeys.chatKey,
  SESSION_SECRET: testKeys.sessionSecret,
};

const labClient = new Lab({ channelUrl, teamKey: testKeys.teamKey });

export const lab = {
  /** Scripts the agent's next reply in this chat. */
  reply: (chatId: string, reply: ScriptedReply) => labClient.reply(reply, chatId),
  /** Continues this chat's held reply up to `holdsAfter` deltas, or to its end without it. */
  continueReply: (chatId: string, holdsAfter?: number) => labClient.continueReply(chatId, holdsAfter),
  /** The channel refuses the chat's next operations without carrying them out. */
  fault: (chatId: string, fault: Pick<Fault, "operation" | "code" | "times">) =>
    labClient.addFault({ chatId, fault: "error", at: "request", ...fault }),
  /** Imports a chat, or returns the existing one. */
  importChat: (chat: ImportedChat) => labClient.importChat(chat),
  /** A channel beside the shared one. */
  createChannel: (seed: { chats: readonly ImportedChat[] }) => labClient.createChannel(seed),
  deleteChat: (chatId: string) => labClient.deleteChat(chatId),
};

export const team = {
  claim: (chatId: string, name: string) => labClient.claim(chatId, name),
  write: (chatId: string, text: string) => labClient.postMessage(chatId, text),
  resolve: (chatId: string) => labClient.resolve(chatId),
  ask: (chatId: string, form: Form) => labClient.askForDetails(chatId, form),
};

/** A reply of 40 words that stops after the fifth until the test calls `lab.continueReply`. */
export function heldReply() {
  const deltas = Array.from({ length: 40 }, (_, index) => `word${index} `);
  return { text: deltas.join(""), deltas, holdsAfter: 5 };
}

/** Starts a chat and a reply that stops after its fifth word. Returns the chat's ID. */
export async function startHeldReply(chat: ChatPage, question = "tell me"): Promise<string> {
  const chatId = await chat.start();
  await lab.reply(chatId, heldReply());
  await chat.send(question);
  await expect(chat.unfinishedReply).toContainText("word3");
  return chatId;
}
