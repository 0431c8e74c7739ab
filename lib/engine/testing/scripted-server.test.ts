/** The parts of `shop-chat/testing`, with the engine. */
import { expect, onTestFinished, test } from "vitest";
import { createChat } from "../create-chat.ts";
import { timelineOf } from "../timeline/timeline.ts";
import {
  aCollection,
  aField,
  aMessage,
  anOffer,
  memoryBrowser,
  type ScriptedServer,
  scriptedServer,
  untilState,
} from "./public.ts";

function aPage(server: ScriptedServer = scriptedServer()) {
  const browser = memoryBrowser({ fetch: server.fetch });
  const chat = createChat({ api: "/api/chat", locale: "en", browser });
  onTestFinished(chat.close);
  chat.start();
  const say = (text: string) => {
    chat.setText(text);
    chat.send();
  };
  const listed = (count: number) =>
    untilState(chat, ({ conversation }) => conversation.messages.length === count);
  return { server, chat, say, listed };
}

const rowsOf = ({ conversation }: Parameters<Parameters<typeof untilState>[1]>[0]) =>
  timelineOf(conversation).flatMap((row) => (row.kind === "message" ? row.message.text : []));

test("answers what is scripted, then repeats texts", async () => {
  const { server, say, listed } = aPage();
  server.reply({ text: "Yes, we deliver to Ireland.", choices: ["How much?"] });
  say("Do you deliver to Ireland?");
  const state = await listed(2);
  expect(rowsOf(state)).toEqual(["Do you deliver to Ireland?", "Yes, we deliver to Ireland."]);
  say("How much?");
  expect(rowsOf(await listed(4)).at(-1)).toBe("Echo: How much?");
  expect(server.requests.map(({ operation }) => operation)).toContain("createChat");
});

test("shows a reply in progress until it ends", async () => {
  const { server, chat, say, listed } = aPage();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.reply({ text: "One moment, please." }, promise);
  say("Hello");
  await untilState(chat, ({ conversation }) =>
    timelineOf(conversation).some((row) => row.kind === "reply" && row.reply.text === "One moment, please."),
  );
  resolve();
  await listed(2);
});

test("refuses, and loses the response of a message that is stored once", async () => {
  const { server, chat, say, listed } = aPage();
  server.refuse("sendMessage", "chat_closed");
  say("Refused");
  const refused = await untilState(chat, ({ conversation }) =>
    timelineOf(conversation).some((row) => row.kind === "note" && row.pending.delivery.state === "refused"),
  );
  expect(refused.conversation.messages).toEqual([]);
  chat.startOver();
  server.cut("sendMessage");
  say("Lost");
  await listed(2);
  expect(server.messages.map(({ text }) => text)).toEqual(["Lost", "Echo: Lost"]);
});

test("has forms, offers, files, a teammate and a customer", async () => {
  const { server, chat, say, listed } = aPage();
  server.signIn({ id: "42", name: "Ada" });
  chat.start();
  const { owner } = await untilState(chat, (state) => state.owner !== null && state.owner !== "guest");
  expect(owner).toContain("42");
  chat.attach([new File(["the rear hub"], "notes.txt", { type: "text/plain" })]);
  await untilState(chat, ({ uploads }) => uploads[0]?.state.state === "attached");
  const asked = { fields: [{ fieldId: "order", required: true }], purpose: "To find it", collectionId: "c" };
  const request = { id: "request-1", ...asked, complete: false, canSkip: false, canCancel: false };
  const collection = aCollection({ fields: [aField({ id: "order" })], request, missing: ["order"] });
  server.reply({ text: "Which order?", collection, handoffOffer: anOffer() });
  say("Where is it?");
  const { conversation } = await listed(2);
  expect(conversation.messages[0]?.files[0]?.filename).toBe("notes.txt");
  chat.answerForm("order", "TT-1");
  await chat.submitForm();
  expect(
    (await untilState(chat, (state) => state.conversation.collection?.request === null)).conversation,
  ).toMatchObject({ collection: { values: [{ fieldId: "order", value: "TT-1", status: "accepted" }] } });
  await chat.acceptOffer(anOffer());
  await untilState(chat, (state) => state.conversation.chat?.mode === "waiting");
  server.write("This is Zoë.", "Zoë");
  chat.reload();
  expect(rowsOf(await listed(3)).at(-1)).toBe("This is Zoë.");
  expect(aMessage().role).toBe("visitor");
});
