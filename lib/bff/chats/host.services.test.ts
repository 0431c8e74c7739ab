/** The stores of customers' chats in `examples/customer-chats`, before a real Redis and a real PostgreSQL. */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { freshKey } from "../testing/test-bff.ts";
import type { CustomerChats } from "./host.ts";

const redis = new Redis(inject("redisUrl"));
const pool = new pg.Pool({ connectionString: inject("databaseUrl") });
afterAll(async () => {
  redis.disconnect();
  await pool.end();
});

interface Store {
  chats: CustomerChats;
  ofOtherServer: CustomerChats;
  erase(customerId: string): Promise<void>;
}

/** The examples import the package, which is not installed here. They are loaded without their types. */
const load = (file: string) =>
  import(new URL(`../../../examples/customer-chats/${file}`, import.meta.url).href);

const servers = ["/api/chat", "/api/advice"];

test.each<[string, () => Promise<Store>]>([
  [
    "Redis",
    async () => {
      const { redisChats, eraseChats } = await load("redis.ts");
      const [chats, ofOtherServer] = servers.map((server) => redisChats(redis, server));
      const erase = async (id: string) => {
        for (const server of servers) await eraseChats(redis, server, id);
      };
      return { chats, ofOtherServer, erase };
    },
  ],
  [
    "SQL",
    async () => {
      const { sqlChats, table, eraseChats } = await load("sql.ts");
      await pool.query(table);
      const [chats, ofOtherServer] = servers.map((server) => sqlChats(pool, server));
      return { chats, ofOtherServer, erase: (id) => eraseChats(pool, id) };
    },
  ],
])(
  "%s lists each customer's chats, the latest first, until they are forgotten or erased",
  async (_, open) => {
    const { chats, ofOtherServer, erase } = await open();
    const [ada, bo] = [
      { id: `ada ${freshKey()}`, name: "Ada" },
      { id: `bo ${freshKey()}`, name: "Bo" },
    ];
    // The store knows the order by the clock's milliseconds.
    const later = (before: number) => expect.poll(() => Date.now()).toBeGreaterThan(before);
    for (const chatId of ["chat_0001", "chat_0002", "chat_0003", "chat_0001"]) {
      await chats.add(ada, chatId);
      await later(Date.now());
    }
    await chats.add(bo, "chat_0004");
    expect(await chats.list(ada)).toEqual(["chat_0001", "chat_0003", "chat_0002"]);
    await chats.forget(ada, "chat_0003");
    await chats.forget(bo, "chat_0001");
    expect(await chats.list(ada)).toEqual(["chat_0001", "chat_0002"]);
    await ofOtherServer.add(ada, "chat_0005");
    expect(await ofOtherServer.list(ada)).toEqual(["chat_0005"]);
    await erase(ada.id);
    expect(await ofOtherServer.list(ada)).toEqual([]);
    expect(await chats.list(ada)).toEqual([]);
    expect(await chats.list(bo)).toEqual(["chat_0004"]);
    await erase(bo.id);
  },
);
