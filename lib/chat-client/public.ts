/** Public exports of the client (`shop-chat/client`). */
export type { Chat } from "../chat-api/chat.ts";
export type { Collection } from "../chat-api/collection.ts";
export { ChatApiError, type ErrorCode } from "../chat-api/errors.ts";
export type { Message, MessageTurn, Order, Product } from "../chat-api/message.ts";
export { type OperationIds, type OperationName, operationPath, operations } from "../chat-api/operations.ts";
export { type ChatClient, type ChatClientOptions, createChatClient, type TurnStream } from "./client.ts";
export { contractParser } from "./contract-parser.ts";
export { ChatConnectionError, ContractError } from "./errors.ts";
export { createRetryPolicy, retryRules } from "./retry.ts";
