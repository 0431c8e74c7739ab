/** The chats of the demo's customers, who find them on every device. */
import type { CustomerChats } from "#lib/bff/server.ts";
import { dataFolder, jsonLines } from "./json-lines.ts";

interface Line {
  customerId: string;
  chatId: string;
  isForgotten?: boolean;
}

export function createCustomerChats(folder = dataFolder): CustomerChats {
  const lines = jsonLines<Line>("customer-chats", folder);
  return {
    async list({ id }) {
      const latest = new Map<string, Line>();
      for (const line of await lines.read()) {
        if (line.customerId !== id) continue;
        latest.delete(line.chatId);
        latest.set(line.chatId, line);
      }
      const listed = [...latest.values()].filter(({ isForgotten }) => !isForgotten);
      return listed.map(({ chatId }) => chatId).toReversed();
    },
    add: ({ id }, chatId) => lines.append({ customerId: id, chatId }),
    forget: ({ id }, chatId) => lines.append({ customerId: id, chatId, isForgotten: true }),
  };
}
