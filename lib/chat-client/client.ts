/** The client of the Chat API's contract, for the Chat API and the BFF alike. */
import type { SendMessageBody } from "../chat-api/operations/send-message.ts";
import { eventStreamType } from "../chat-api/turn-events.ts";
import { type ChatCalls, callsWith, writeCall } from "./calls.ts";
import { type ChatClientOptions, withDefaults } from "./options.ts";
import type { WriteCall } from "./request.ts";
import { ClientTurnStream, type TurnStream } from "./turn-stream.ts";

export type { EncodedUpload } from "./calls.ts";
export type { Fetch } from "./connection.ts";
export type { ChatClientOptions } from "./options.ts";
export type { StreamedEvent } from "./parser.ts";
export type { BodyReader, Reply } from "./reply.ts";
export type { AttemptInit, WriteCall } from "./request.ts";
export type { TurnStream } from "./turn-stream.ts";

export interface ChatClient extends ChatCalls {
  /** `sendMessage` with a streamed reply. */
  streamMessage(chatId: string, body: SendMessageBody, call: WriteCall): TurnStream;
}

export function createChatClient(options: ChatClientOptions): ChatClient {
  const settings = withDefaults(options);
  return {
    ...callsWith(settings),
    streamMessage(chatId, body, call) {
      const send = writeCall("sendMessage", { chatId }, JSON.stringify(body), call);
      return new ClientTurnStream({ ...send, accept: eventStreamType }, settings);
    },
  };
}
