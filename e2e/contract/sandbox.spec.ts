/** The sandbox agent's own words; those for any agent are in `agent.spec.ts`. */
import type { Api } from "./support/api.ts";
import { expect, sandbox, test } from "./support/test.ts";

async function replyTo(api: Api, text: string) {
  const { id: chatId } = await api.createChat();
  const { reply, chat } = await api.sendMessage(chatId, { text });
  if (reply === null) throw new Error("there is no reply");
  return { chatId, reply, chat };
}

test("names its words and repeats every other text", [sandbox, "send.turn"], async ({ api }) => {
  const { reply } = await replyTo(api, "help");
  for (const word of ["citations", "products", "orders", "choices", "form", "offer", "fail", "close"])
    expect(reply.text).toContain(word);
  expect((await replyTo(api, "No such word")).reply.text).toBe("Echo: No such word");
});

test("shows as many cards as asked for, up to the limits", [sandbox, "resources.cards"], async ({ api }) => {
  expect((await replyTo(api, "citations")).reply.citations).toHaveLength(2);
  expect((await replyTo(api, "Citations 20 ")).reply.citations).toHaveLength(20);
  expect((await replyTo(api, "products 9")).reply.products).toHaveLength(3);
  expect((await replyTo(api, "orders 99")).reply.orders).toHaveLength(10);
  expect((await replyTo(api, "choices")).reply.choices).toContain("form");
});
