/** A chat whose messages are repeated, cut off and sent at once; its history is checked after the run. */
import { itemOf } from "./support/api.ts";
import type { MessageTurn } from "./support/shapes.ts";
import { expect, test } from "./support/test.ts";

test(
  "stores each message once, however often and in whatever form it is sent",
  ["idempotency.once", "events.repeat", "list.pages"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("history");
    // Each of a live agent's replies may take a minute.
    for (let n = 1; n <= (api.exact ? 8 : 4); n += 1) {
      const message = { json: { text: `Message ${n} of the history` }, key: crypto.randomUUID() };
      const cut = await api.stream(chatId, message.json, message);
      await cut.until("start");
      cut.close();
      const send = () => api.call("sendMessage", { chatId, ...message });
      const [one, other] = (await Promise.all([send(), send()])).map((sent) =>
        itemOf<MessageTurn>(sent, 200),
      );
      expect(one?.message.id).toBe(cut.start.messageId);
      expect(other?.message.id).toBe(cut.start.messageId);
    }
  },
);
