/** The lab and the team inbox of the channel that most journeys share, for a moment in a chat that is at hand. */
import { type Fault, type ImportedChat, labOf, type ScriptedReply } from "./channel-hands.ts";
import { testKeys } from "./world.ts";

export const channelUrl = `http://127.0.0.1:${process.env["E2E_CHANNEL_PORT"] ?? "4900"}`;

const hands = labOf({ channelUrl, teamKey: testKeys.teamKey });

export const lab = {
  /** The agent's next reply in this chat. */
  reply: (chatId: string, reply: ScriptedReply) => hands.reply(reply, chatId),
  /** A reply of this chat that waits goes on: up to so many words, or to its end. */
  goOn: (chatId: string, holdsAfter?: number) => hands.goOn(chatId, holdsAfter),
  /** The next operations of this chat are refused before anything is done. */
  fault: (chatId: string, fault: Pick<Fault, "operation" | "code" | "times">) =>
    hands.addFault({ chatId, fault: "error", at: "request", ...fault }),
  /** Brings a chat in; gives it back if it is there already. */
  importChat: (chat: ImportedChat) => hands.importChat(chat),
  deleteChat: (chatId: string) => hands.deleteChat(chatId),
};

export const team = {
  claim: (chatId: string, name: string) => hands.claim(chatId, name),
  write: (chatId: string, text: string) => hands.postMessage(chatId, text),
  resolve: (chatId: string) => hands.resolve(chatId),
};

/** A reply of 40 words that is still being written after the first five, until the test lets it go on: `lab.goOn`. */
export function heldReply() {
  const deltas = Array.from({ length: 40 }, (_, index) => `word${index} `);
  return { text: deltas.join(""), deltas, holdsAfter: 5 };
}
