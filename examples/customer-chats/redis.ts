import type { Redis } from "ioredis";
import type { CustomerChats } from "shop-chat/server";

/** A sorted set for each chat server and customer: the chats' IDs by the time of the last message. */
const keyOf = (server: string, customerId: string) => `customer-chats:${server}:${customerId}`;

/** The latest chats that the store keeps. */
const kept = 50;

/** `server` names the chat server, such as its base path: each agent knows its own chats alone. */
export function redisChats(redis: Redis, server: string): CustomerChats {
  return {
    list: ({ id }) => redis.zrevrange(keyOf(server, id), 0, kept - 1),
    async add({ id }, chatId) {
      await redis.zadd(keyOf(server, id), Date.now(), chatId);
      await redis.zremrangebyrank(keyOf(server, id), 0, -kept - 1);
    },
    forget: ({ id }, chatId) => redis.zrem(keyOf(server, id), chatId),
  };
}

/** Call it for each chat server when you erase a customer. */
export async function eraseChats(redis: Redis, server: string, customerId: string): Promise<void> {
  await redis.del(keyOf(server, customerId));
}
