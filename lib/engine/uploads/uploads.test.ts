import { expect, test, vi } from "vitest";
import { aChat, aFile } from "../testing/builders.ts";
import { type Answers, aChatPage, refusal, type TestPage } from "../testing/chat-page.ts";

const chatId = "chat_00000001";
const file = aFile({ chatId, filename: "note.txt" });
const note = () => new File(["x"], "note.txt");
const uploads = `POST /chats/${chatId}/files`;

/** The answers of a server that creates one chat per key and body, as the Chat API does. */
function creating(before: (key: string) => Response | undefined = () => undefined) {
  const bodies = new Map<string, string>();
  const answers: Answers = (request, { headers, body }) => {
    if (request === uploads) return Response.json({ item: file }, { status: 201 });
    if (request !== "POST /chats") return undefined;
    const key = new Headers(headers).get("idempotency-key") ?? "";
    const first = bodies.get(key) ?? String(body);
    bodies.set(key, first);
    if (first !== body) return refusal("idempotency_conflict");
    return before(key) ?? Response.json({ item: aChat({ id: chatId }) }, { status: 201 });
  };
  return { answers, bodies };
}

const statesOf = ({ chat: { getState } }: Pick<TestPage, "chat">) =>
  getState().uploads.map(({ state }) => state.state);

test("uploads a file after a change of language, although the chat's creation had got no answer", async () => {
  let isLost = true;
  const { answers, bodies } = creating(() => (isLost ? refusal("chat_unavailable") : undefined));
  const page = await aChatPage(answers);
  page.chat.attach([note()]);
  await expect.poll(() => statesOf(page)).toEqual(["failed"]);
  isLost = false;
  page.chat.setLocale("fr");
  const reloaded = await aChatPage(answers, { earlier: page.browser, locale: "fr" });
  reloaded.chat.attach([note()]);
  await expect.poll(() => statesOf(reloaded)).toEqual(["attached"]);
  expect([...bodies.values()]).toEqual([JSON.stringify({ locale: "en" })]);
});

test.each(["idempotency_key_expired", "idempotency_resource_gone", "idempotency_conflict"] as const)(
  "uploads to a chat under a new key after %s, with the file that was chosen",
  async (code) => {
    const keys = new Set<string>();
    const { answers } = creating((key) => (keys.add(key).size === 1 ? refusal(code) : undefined));
    const page = await aChatPage(answers);
    page.chat.setText("See this");
    page.chat.attach([note(), new File(["y"], "bill.txt")]);
    await expect.poll(() => statesOf(page)).toEqual(["attached", "attached"]);
    expect(keys.size).toBe(2);
    expect(page.chat.getState().draft).toMatchObject({ text: "See this", lost: [] });
  },
);

/** A page whose chat takes files, as `answer` decides. */
async function uploadingPage(answer: () => Response | Promise<Response>) {
  let sent = 0;
  const onProgress: ((sent: number, total: number) => void)[] = [];
  const page = await aChatPage(creating().answers, { chatId });
  page.browser.fetchWithProgress = (progress) => async () => {
    onProgress.push(progress);
    sent += 1;
    return answer();
  };
  const uploadOf = () => page.chat.getState().uploads[0];
  return { ...page, uploadOf, sent: () => sent, onProgress };
}

test("repeats an upload that the server refuses for now, and shows the wait instead of progress", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answers = [refusal("service_unavailable", 3), Response.json({ item: file }, { status: 201 })];
  const page = await uploadingPage(() => {
    page.onProgress.at(-1)?.(1, 2);
    return answers.shift() ?? refusal("internal_error");
  });
  page.chat.attach([note()]);
  await expect
    .poll(() => page.uploadOf()?.state)
    .toMatchObject({
      state: "uploading",
      waiting: { code: "service_unavailable", retryAfterSeconds: 3 },
    });
  expect(page.uploadOf()?.progress).toBe(0);
  await vi.advanceTimersByTimeAsync(2_900);
  expect(page.sent()).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  await expect.poll(() => page.uploadOf()?.state.state).toBe("attached");
  expect(page.sent()).toBe(2);
});

test("uploads a photo that the system declares as something else, as the JPEG that it is", async () => {
  const { answers } = creating();
  const types: string[] = [];
  const page = await aChatPage((request, init) => {
    if (request === uploads && init.body instanceof FormData) {
      const part = init.body.get("file");
      if (part instanceof File) types.push(part.type);
    }
    return answers(request, init);
  });
  const bytes = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
  for (const type of ["application/octet-stream", "image/jpg", ""])
    page.chat.attach([new File([bytes], "photo.jpg", { type })]);
  await expect.poll(() => statesOf(page)).toEqual(["attached", "attached", "attached"]);
  expect(types).toEqual(["image/jpeg", "image/jpeg", "image/jpeg"]);
});

test("stops an upload that is removed while it waits", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const page = await uploadingPage(() => refusal("service_unavailable", 1));
  page.chat.attach([note()]);
  await expect.poll(() => page.uploadOf()?.state).toMatchObject({ waiting: {} });
  const [upload] = page.chat.getState().uploads;
  if (upload !== undefined) page.chat.detach({ kind: "upload", upload });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.sent()).toBe(1);
  expect(page.chat.getState().uploads).toEqual([]);
});

test("sends the file with a message that a subscriber sends as soon as no upload is left", async () => {
  const page = await uploadingPage(() => Response.json({ item: file }, { status: 201 }));
  const { chat } = page;
  chat.setText("See this");
  let isSent = false;
  chat.subscribe(() => {
    isSent ||= chat.send();
  });
  chat.attach([note()]);
  await expect.poll(() => isSent).toBe(true);
  expect(chat.getState().conversation.pending.map(({ record }) => record.files)).toEqual([[file]]);
  expect(chat.getState().draft.files).toEqual([]);
});
