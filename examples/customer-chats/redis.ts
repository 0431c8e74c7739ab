import type { Redis } from "ioredis";
import type { CustomerChats } from "shop-chat/server";

/** A sorted set for each customer: the chats' IDs by the time of the last message. */
const keyOf = (customerId: string) => `customer-chats:${customerId}`;

/** The latest chats that the store keeps. */
const kept = 50;

export function redisChats(redis: Redis): CustomerChats {
  return {
    list: ({ id }) => redis.zrevrange(keyOf(id), 0, kept - 1),
    async add({ id }, chatId) {
      await redis.zadd(keyOf(id), Date.now(), chatId);
      await redis.zremrangebyrank(keyOf(id), 0, -kept - 1);
    },
    forget: ({ id }, chatId) => redis.zrem(keyOf(id), chatId),
  };
}

/** Call it when you erase a customer. */
export async function eraseChats(redis: Redis, customerId: string): Promise<void> {
  await redis.del(keyOf(customerId));
}
