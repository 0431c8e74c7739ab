import { expect, test, vi } from "vitest";
import type { ChatClient } from "../../chat-client/client.ts";
import { aConversation, aFile } from "../testing/builders.ts";
import { inertRuntime } from "../testing/inert-runtime.ts";
import { uploadFile } from "./upload-file.ts";

test("uploads to the chat on screen under the given key, typed by the file's extension", async () => {
  const stored = aFile();
  const upload = vi.fn<ChatClient["uploadFile"]>(async () => ({ item: stored, replayed: false }));
  const runtime = inertRuntime(aConversation(), {
    client: { uploadFile: upload },
    chats: { require: async () => "chat_number_1" },
  });
  const { signal } = new AbortController();
  const file = new File(["x"], "notes.txt");
  expect(await uploadFile(runtime, { file, key: "key-0001" }, signal, () => undefined)).toBe(stored);
  expect(upload).toHaveBeenCalledExactlyOnceWith(
    "chat_number_1",
    { bytes: file, filename: "notes.txt", mediaType: "text/plain" },
    { idempotencyKey: "key-0001", signal },
  );
});
