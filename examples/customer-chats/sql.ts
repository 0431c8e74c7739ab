import type { Pool } from "pg";
import type { CustomerChats } from "shop-chat/server";

export const table = `CREATE TABLE IF NOT EXISTS customer_chats (
  server text NOT NULL,
  customer_id text NOT NULL,
  chat_id text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (server, customer_id, chat_id)
)`;

const list = `SELECT chat_id FROM customer_chats WHERE server = $1 AND customer_id = $2
  ORDER BY written_at DESC LIMIT 50`;
const add = `INSERT INTO customer_chats (server, customer_id, chat_id) VALUES ($1, $2, $3)
  ON CONFLICT (server, customer_id, chat_id) DO UPDATE SET written_at = clock_timestamp()`;
const forget = `DELETE FROM customer_chats WHERE server = $1 AND customer_id = $2 AND chat_id = $3`;

/** `server` names the chat server, such as its base path: each agent knows its own chats alone. */
export function sqlChats(database: Pool, server: string): CustomerChats {
  return {
    async list({ id }) {
      const { rows } = await database.query<{ chat_id: string }>(list, [server, id]);
      return rows.map(({ chat_id }) => chat_id);
    },
    add: ({ id }, chatId) => database.query(add, [server, id, chatId]),
    forget: ({ id }, chatId) => database.query(forget, [server, id, chatId]),
  };
}

/** Call it when you erase a customer. */
export async function eraseChats(database: Pool, customerId: string): Promise<void> {
  await database.query(`DELETE FROM customer_chats WHERE customer_id = $1`, [customerId]);
}
