/** Reads lists and streams completely, and records what a reader saw. */
import { limits } from "#lib/chat-api/limits.ts";
import type { Message, MessageTurn } from "#lib/chat-api/message.ts";
import type { ChatClient, TurnStream } from "#lib/chat-client/client.ts";
import type { History } from "./history.ts";

export async function allMessages(client: Pick<ChatClient, "listMessages">, chatId: string) {
  const items: Message[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: limits.messagesPerPage.max, ...(cursor === null ? {} : { cursor }) };
    const page = await client.listMessages(chatId, query);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

/** The same stream. Records what its reader saw, and the turn, when it ends or is cut. */
export function recorded(
  stream: TurnStream,
  { history, customer, key }: { history: History; customer: string; key: string },
): TurnStream {
  return {
    get replayed() {
      return stream.replayed;
    },
    async read(onEvent) {
      const seen = { text: "", messageId: null as string | null, replyId: null as string | null };
      let done: MessageTurn | null = null;
      const tell = () => history.add({ type: "streamed", customer, key, ...seen, done });
      try {
        await stream.read((event) => {
          if (event.type === "start") {
            seen.text = "";
            seen.messageId = event.messageId;
            seen.replyId = event.replyId;
          } else if (event.type === "delta") seen.text += event.text;
          else {
            done = event.item;
            tell();
            history.add({ type: "result", customer, operation: "sendMessage", key, item: done });
          }
          onEvent(event);
        });
      } finally {
        if (done === null) tell();
      }
    },
  };
}
