// @vitest-environment jsdom
import { locks } from "node:worker_threads";
import { act } from "react";
import { expect, test, vi } from "vitest";
import type { ChatEngine } from "../../../lib/engine/chat.ts";
import { aChat, aFile } from "../../../lib/engine/testing/builders.ts";
import { aChatPage, refusal, type TestPage } from "../../../lib/engine/testing/chat-page.ts";
import { inertChat } from "../../../lib/engine/testing/inert-chat.ts";
import { storedTexts } from "../../../lib/engine/testing/stored-messages.ts";
import { useChatContext } from "../chat-context.ts";
import { mounted } from "../testing/mounted.ts";
import { testChat } from "../testing/rendered.ts";
import { ConsentGate, ConsentQuestion } from "./consent.tsx";

// jsdom has none.
Object.defineProperty(navigator, "locks", { value: locks });

const chatId = "chat_00000001";
const note = () => new File(["x"], "note.txt");
const shop = { ...testChat.shop, consent: { text: "We store what you write.", href: "/privacy" } };

/** A page that asks for consent, in a chat that has been read. */
async function askingPage(upload: () => Response): Promise<TestPage> {
  const page = await aChatPage(
    (request) => {
      if (request === `GET /chats/${chatId}`) return Response.json({ item: aChat({ id: chatId }) });
      if (request === `GET /chats/${chatId}/messages/before`)
        return Response.json({ items: [], nextCursor: null });
      return request === `POST /chats/${chatId}/files` ? upload() : undefined;
    },
    { chatId, consent: "1" },
  );
  await expect.poll(() => page.chat.getState().conversation.history.state).toBe("ready");
  return page;
}

let context = testChat;

function Probe() {
  context = useChatContext();
  return context.consent && <ConsentQuestion question={context.consent} />;
}

/** A view that has the question alone. */
async function viewOf(chat: ChatEngine) {
  const { place } = await mounted(
    <ConsentGate {...testChat} locale="en-GB" chat={chat} shop={shop}>
      <Probe />
    </ConsentGate>,
  );
  return {
    do: (action: (asking: ChatEngine) => void) => act(() => action(context.chat)),
    question: () => place.querySelector("[role=group]")?.textContent,
    press: (name: string) =>
      act(() => [...place.querySelectorAll("button")].find((one) => one.textContent === name)?.click()),
  };
}

const stored = () => Response.json({ item: aFile({ chatId, filename: "note.txt" }) }, { status: 201 });
const { agree, refuse } = testChat.t.consent;

async function agreeToMessageWithFile(upload: () => Response) {
  const page = await askingPage(upload);
  const view = await viewOf(page.chat);
  view.do((asking) => {
    asking.setText("See this");
    asking.attach([note()]);
    asking.send();
  });
  view.press(agree);
  return page;
}

test("sends a message with a file once the file is uploaded, without another press", async () => {
  const { chat, storage } = await agreeToMessageWithFile(stored);
  await act(() => expect.poll(() => storedTexts(storage)).toEqual(["See this"]));
  expect(chat.getState().draft).toEqual({ text: "", files: [], lost: [] });
});

test("leaves the message in the field if the customer changes it during the upload", async () => {
  const { chat, storage } = await agreeToMessageWithFile(stored);
  act(() => chat.setText("See this and"));
  await act(() => expect.poll(() => chat.getState().draft.files).toHaveLength(1));
  expect([storedTexts(storage), chat.getState().draft.text]).toEqual([[], "See this and"]);
});

test("leaves the message in the field if its upload fails", async () => {
  const { chat, storage } = await agreeToMessageWithFile(() => refusal("unsupported_file"));
  await act(() => expect.poll(() => chat.getState().uploads[0]?.state.state).toBe("failed"));
  expect([storedTexts(storage), chat.getState().draft.text]).toEqual([[], "See this"]);
});

test("names the chosen files in its question, and to choose again after a refusal", async () => {
  const { chat } = await askingPage(stored);
  const view = await viewOf(chat);
  view.do((asking) => asking.attach([note()]));
  expect(view.question()).toContain("note.txt");
  view.press(refuse);
  expect(view.question()).toBeUndefined();
  expect(chat.getState()).toMatchObject({ draft: { lost: ["note.txt"] }, uploads: [] });
  view.do((asking) => asking.attach([note()]));
  view.press(agree);
  expect(chat.getState()).toMatchObject({ uploads: [{}] });
});

test("asks before it sends a refused message or a failed file again", async () => {
  const [retry, retryUpload] = [vi.fn(), vi.fn()];
  const view = await viewOf(inertChat({ hasConsent: false }, { retry, retryUpload }));
  view.do((asking) => {
    asking.retry(["message"]);
    asking.retryUpload("file");
  });
  expect([retry, retryUpload].map(({ mock }) => mock.calls)).toEqual([[], []]);
  view.press(agree);
  expect([retry, retryUpload].map(({ mock }) => mock.calls)).toEqual([[[["message"]]], [["file"]]]);
});
