/** Each test has its own channel: keys, clock, faults, limits, scripts and chats. */
import { Lab, type LabChannel } from "shop-chat-channel";
import { test as base, expect, inject } from "vitest";
import { post } from "./post.ts";

const test = base.extend<{ channel: LabChannel }>({
  channel: async ({ task }, use) => {
    const { keeps, ...running } = inject("lab");
    const channel = await new Lab(running).createChannel();
    await use(channel);
    if (task.result?.state !== "fail" || !keeps) return channel.drop();
    process.stderr.write(`${task.name}: its channel is at ${channel.console}\n`);
  },
});

const newChat = async (channel: LabChannel): Promise<string> => (await post(channel, "/chats", {})).item.id;

test.for(["products", "orders", "citations", "choices"])("shows %s", async (word, { channel }) => {
  const { item } = await post(channel, `/chats/${await newChat(channel)}/messages`, { text: word });
  expect(item.reply[word]).not.toEqual([]);
});

test.for(["Hello", "Are you open?", "Öffnen Sie sonntags?", "自転車はありますか", "هل تبيعون الدراجات؟"])(
  "answers %s",
  async (text, { channel }) => {
    const { item } = await post(channel, `/chats/${await newChat(channel)}/messages`, { text });
    expect(item.reply.text).toContain(text);
  },
);

test("answers what the test has scripted", async ({ channel }) => {
  const chatId = await newChat(channel);
  await channel.lab.reply({ text: "It costs £79." }, chatId);
  const { item } = await post(channel, `/chats/${chatId}/messages`, { text: "How much is it?" });
  expect(item.reply.text).toBe("It costs £79.");
});

test("stores a message once although its first answer is lost", async ({ channel }) => {
  const path = `/chats/${await newChat(channel)}/messages`;
  const lost = { fault: "error", code: "internal_error", at: "response" } as const;
  await channel.lab.addFault({ operation: "sendMessage", ...lost });
  expect((await post(channel, path, { text: "Hello" }, "my-first-key")).status).toBe(500);
  expect((await post(channel, path, { text: "Hello" }, "my-first-key")).status).toBe(200);
});

test("refuses a chat above the limit", async ({ channel }) => {
  await channel.lab.changeLimits({ chatsPerChannel: 1 });
  await newChat(channel);
  expect(await post(channel, "/chats", {})).toMatchObject({
    status: 429,
    error: { code: "chat_limit_reached" },
  });
});

test("waits until a teammate has the chat", async ({ channel }) => {
  const chatId = await newChat(channel);
  const claimed = channel.lab.wait(chatId, "claimed");
  await channel.lab.claim(chatId, "Ana");
  expect((await claimed).teammate).toEqual({ name: "Ana" });
});
