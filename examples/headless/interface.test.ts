import assert from "node:assert/strict";
import { test } from "node:test";
import { createChat, timelineOf } from "shop-chat/headless";
import { memoryBrowser, scriptedServer, untilState } from "shop-chat/testing";

function openChat() {
  const server = scriptedServer();
  const browser = memoryBrowser({ fetch: server.fetch });
  const chat = createChat({ api: "/api/chat", locale: "en", browser });
  chat.start();
  return { server, chat };
}

test("shows the answer with its choices", async () => {
  const { server, chat } = openChat();
  server.reply({ text: "Yes, we deliver to Ireland.", choices: ["How much?"] });
  chat.setText("Do you deliver to Ireland?");
  chat.send();
  const { conversation } = await untilState(chat, (state) => state.conversation.messages.length === 2);
  assert.deepEqual(conversation.messages[1]?.choices, ["How much?"]);
  chat.close();
});

test("offers a new chat when this one is closed", async () => {
  const { server, chat } = openChat();
  server.refuse("sendMessage", "chat_closed");
  chat.setText("Hello?");
  chat.send();
  const refused = await untilState(chat, (state) => timelineOf(state.conversation).some(isNote));
  assert.equal(refused.conversation.messages.length, 0);
  chat.close();
});

const isNote = ({ kind }: { kind: string }) => kind === "note";
