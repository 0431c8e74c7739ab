import { expect, onTestFinished, test } from "vitest";
import { createChat } from "./create-chat.ts";
import { failure } from "./failure.ts";
import { aChat, aRecord } from "./testing/builders.ts";
import { aChatPage, type TestPage } from "./testing/chat-page.ts";
import { memoryBrowser } from "./testing/memory-browser.ts";
import { storedTexts } from "./testing/stored-messages.ts";

const chatId = "chat_00000001";
const entry = "shop-chat:1:browser:consent";

/** A page that asks for consent to version 2, in a chat that has been read. */
async function askingPage(): Promise<TestPage> {
  const page = await aChatPage(
    (request) => {
      if (request === `GET /chats/${chatId}`) return Response.json({ item: aChat({ id: chatId }) });
      if (request === `GET /chats/${chatId}/messages/before`)
        return Response.json({ items: [], nextCursor: null });
      return undefined;
    },
    { chatId, consent: "2" },
  );
  await expect.poll(() => page.chat.getState().conversation.history.state).toBe("ready");
  return page;
}

const hasConsent = ({ chat }: TestPage) => chat.getState().hasConsent;

test("has the consent that the customer gives in another tab, and sends no draft by itself", async () => {
  const page = await askingPage();
  page.chat.setText("Half a question");
  page.chat.send();
  page.browser.writeElsewhere(entry, "2");
  expect(hasConsent(page)).toBe(true);
  expect(storedTexts(page.storage)).toEqual([]);
});

test("needs consent to each version, and none without a version", async () => {
  const page = await askingPage();
  page.chat.agree();
  page.chat.setConsent("2");
  expect(hasConsent(page)).toBe(true);
  page.chat.setConsent("3");
  expect(page.chat.send("Again")).toBe(false);
  page.chat.setConsent(null);
  expect(hasConsent(page)).toBe(true);
  expect(page.chat.getState().draft.text).toBe("Again");
});

test("repeats no message and no upload before the customer agrees to a new version", async () => {
  const page = await askingPage();
  const record = aRecord({ chatId, refusal: failure("invalid_request"), createdAt: Date.now() });
  for (const [name, value] of [
    [`attempt:${record.key}`, record],
    [`message:${record.key}`, record],
  ] as const)
    page.browser.writeElsewhere(`shop-chat:1:guest:${name}`, JSON.stringify(value));
  const states = () => page.chat.getState().conversation.pending.map(({ delivery }) => delivery.state);
  page.chat.agree();
  page.chat.attach([new File(["x"], "film.xyz")]);
  const upload = () => page.chat.getState().uploads[0];
  await expect.poll(() => upload()?.state.state).toBe("refused");
  page.chat.setConsent("3");
  page.chat.retry([record.key]);
  page.chat.retryUpload(upload()?.key ?? "");
  expect([states(), upload()?.state.state]).toEqual([["refused"], "refused"]);
  page.chat.agree();
  page.chat.retry([record.key]);
  page.chat.retryUpload(upload()?.key ?? "");
  expect(states()).not.toContain("refused");
  expect(upload()?.state.state).toBe("uploading");
});

test("has the consent of an earlier page from the first state on", () => {
  const browser = memoryBrowser();
  browser.local.write(entry, "2");
  const page = createChat({ api: "/api/chat", locale: "en", consent: "2", browser });
  onTestFinished(page.close);
  expect(page.getState().hasConsent).toBe(true);
  expect(page.send("Hello")).toBe(true);
});
