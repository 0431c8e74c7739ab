/** The client of the Chat API's contract, for the Chat API and the BFF alike. */

import type { Chat } from "../chat-api/chat.ts";
import type { Collection } from "../chat-api/collection.ts";
import type { File, MessagePage, MessageTurn } from "../chat-api/message.ts";
import type { CreateChatBody } from "../chat-api/operations/create-chat.ts";
import type { HandoffBody } from "../chat-api/operations/handoff.ts";
import type { SendMessageBody } from "../chat-api/operations/send-message.ts";
import type { SubmitCollectionBody } from "../chat-api/operations/submit-collection.ts";
import { type OperationIds, type OperationName, operations } from "../chat-api/operations.ts";
import { eventStreamType } from "../chat-api/turn-events.ts";
import { attempting } from "./attempts.ts";
import { type Connection, connect } from "./connection.ts";
import { type ChatClientOptions, type ClientSettings, withDefaults } from "./options.ts";
import type { Items } from "./parser.ts";
import { type Call, checkCall, type ReadCall, type WriteCall } from "./request.ts";
import { limitedDownload, readResponse, requireSuccess } from "./response.ts";
import { ClientTurnStream, type TurnStream } from "./turn-stream.ts";

export type { Fetch } from "./connection.ts";
export type { ChatClientOptions } from "./options.ts";
export type { StreamedEvent } from "./parser.ts";
export type { AttemptInit, BodyReader, Reply, WriteCall } from "./request.ts";
export type { TurnStream } from "./turn-stream.ts";

export interface WriteResult<T> {
  item: T;
  /**
   * True if the response was a replay (200, not 201): an earlier request with this key was executed, perhaps
   * this call's own first attempt. Always false for `submitCollection`, whose responses do not say
   * (docs/chat-api.md, "Operations").
   */
  replayed: boolean;
}

export interface MessagesQuery {
  /** 1 to 50; 20 if absent. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export interface Upload {
  /** The file's bytes, at most 4 MiB. */
  bytes: Blob;
  filename: string;
  /** One of `fileMediaTypes`. */
  mediaType: string;
}

/**
 * An upload that a server has encoded already: `multipart/form-data` with a single part `file`. The
 * platform's FormData would keep a second copy that Node's garbage collector does not account for.
 */
export interface EncodedUpload {
  body: Uint8Array<ArrayBuffer>;
  /** Includes the boundary. */
  contentType: string;
}

/**
 * Every method rejects with ChatApiError (act on its code), ChatConnectionError (outcome unknown: send the
 * same request with the same key), ContractError (the server does not speak the Chat API), or the reason
 * of the call's signal; each after the retries that the policy allows.
 */
export interface ChatClient extends Record<OperationName, (...input: never[]) => Promise<unknown>> {
  createChat(body: CreateChatBody, call: WriteCall): Promise<WriteResult<Chat>>;
  getChat(chatId: string, call?: ReadCall): Promise<Chat>;
  sendMessage(chatId: string, body: SendMessageBody, call: WriteCall): Promise<WriteResult<MessageTurn>>;
  listMessages(chatId: string, query?: MessagesQuery, call?: ReadCall): Promise<MessagePage>;
  uploadFile(chatId: string, upload: Upload | EncodedUpload, call: WriteCall): Promise<WriteResult<File>>;
  /** The file's bytes as they arrive. Read or cancel the body to free the connection. */
  downloadFile(chatId: string, fileId: string, call?: ReadCall): Promise<Response>;
  getCollection(chatId: string, call?: ReadCall): Promise<Collection>;
  submitCollection(
    chatId: string,
    body: SubmitCollectionBody,
    call: WriteCall,
  ): Promise<WriteResult<Collection>>;
  handoff(chatId: string, body: HandoffBody, call: WriteCall): Promise<WriteResult<Chat>>;
  /** `sendMessage` with a streamed reply. */
  streamMessage(chatId: string, body: SendMessageBody, call: WriteCall): TurnStream;
}

const json = "application/json";

export function createChatClient(options: ChatClientOptions): ChatClient {
  const settings = withDefaults(options);
  return {
    createChat: (body, call) => write(settings, writeCall("createChat", {}, JSON.stringify(body), call)),
    getChat: (chatId, call) => readItem(settings, readCall("getChat", { chatId }, call)),
    sendMessage: (chatId, body, call) =>
      write(settings, writeCall("sendMessage", { chatId }, JSON.stringify(body), call)),
    listMessages(chatId, query = {}, call) {
      const list = { ...readCall("listMessages", { chatId }, call), query: toSearch(query) };
      return repeat(list, settings, (connection) =>
        readResponse(connection, settings, (body) => settings.parse.page(body)),
      );
    },
    uploadFile(chatId, upload, call) {
      const [body, contentType] =
        "body" in upload ? [upload.body, upload.contentType] : [toForm(upload), undefined];
      return write(settings, { ...writeCall("uploadFile", { chatId }, body, call), contentType });
    },
    downloadFile(chatId, fileId, call) {
      const download = { ...readCall("downloadFile", { chatId, fileId }, call), accept: "*/*" };
      return repeat(download, settings, (connection) => limitedDownload(connection, settings));
    },
    getCollection: (chatId, call) => readItem(settings, readCall("getCollection", { chatId }, call)),
    submitCollection: (chatId, body, call) =>
      write(settings, writeCall("submitCollection", { chatId }, submissionJson(body), call)),
    handoff: (chatId, body, call) =>
      write(settings, writeCall("handoff", { chatId }, JSON.stringify(body), call)),
    streamMessage(chatId, body, call) {
      const send = writeCall("sendMessage", { chatId }, JSON.stringify(body), call);
      return new ClientTurnStream({ ...send, accept: eventStreamType }, settings);
    },
  };
}

type CallOf<Operation> = Call & { operation: Operation };

function readCall<O extends OperationName>(
  operation: O,
  ids: OperationIds,
  { signal }: ReadCall = {},
): CallOf<O> {
  return { operation, ids, accept: json, signal };
}

function writeCall<O extends OperationName>(
  operation: O,
  ids: OperationIds,
  body: NonNullable<Call["body"]>,
  { idempotencyKey, signal }: WriteCall,
): CallOf<O> {
  return { operation, ids, accept: json, body, idempotencyKey, signal };
}

function toSearch({ limit, cursor }: MessagesQuery): URLSearchParams {
  const search = new URLSearchParams();
  if (limit !== undefined) search.set("limit", String(limit));
  if (cursor !== undefined) search.set("cursor", cursor);
  return search;
}

function toForm({ bytes, filename, mediaType }: Upload): FormData {
  const form = new FormData();
  form.append("file", bytes.slice(0, bytes.size, mediaType), filename);
  return form;
}

/** `Object.fromEntries` makes even `__proto__`, a valid field ID, an own property; assigning would not. */
function submissionJson({ values, ...rest }: SubmitCollectionBody): string {
  return JSON.stringify(values === undefined ? rest : { ...rest, values: Object.fromEntries(values) });
}

/** Sends the call until it succeeds or the policy gives up; `read` reads the successful response. */
async function repeat<T>(
  call: Call,
  settings: ClientSettings,
  read: (connection: Connection) => T | Promise<T>,
): Promise<T> {
  checkCall(call);
  return attempting(call, settings, false, async (progress) => {
    const connection = await connect(call, settings);
    try {
      await requireSuccess(connection, settings);
      const result = await read(connection);
      progress.succeeded();
      return result;
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

function readItem<O extends keyof Items>(settings: ClientSettings, call: CallOf<O>): Promise<Items[O]> {
  return repeat(call, settings, (connection) =>
    readResponse(connection, settings, (body) => settings.parse.item(call.operation, body)),
  );
}

function write<O extends keyof Items>(
  settings: ClientSettings,
  call: CallOf<O>,
): Promise<WriteResult<Items[O]>> {
  const { operation } = call;
  return repeat(call, settings, async (connection) => {
    const item = await readResponse(connection, settings, (body) => settings.parse.item(operation, body));
    return { item, replayed: connection.response.status === 200 && operations[operation].status === 201 };
  });
}
