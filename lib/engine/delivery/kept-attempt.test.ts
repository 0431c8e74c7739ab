import { expect, test } from "vitest";
import { memoryStorage } from "../testing/memory-storage.ts";
import { keyFor } from "./kept-attempt.ts";

test("keeps the key of an equal request and stores a new one for a changed request", () => {
  const storage = memoryStorage();
  const first = keyFor(storage, "submission:chat_1", '{"name":"Maya"}');
  expect(keyFor(storage, "submission:chat_1", '{"name":"Maya"}')).toBe(first);
  const changed = keyFor(storage, "submission:chat_1", '{"name":"Mara"}');
  expect(changed).not.toBe(first);
  expect(keyFor(storage, "submission:chat_1", '{"name":"Mara"}')).toBe(changed);
});

test("keeps keys apart by chat and rejects foreign values in the storage", () => {
  const storage = memoryStorage();
  const first = keyFor(storage, "submission:chat_1", "{}");
  expect(keyFor(storage, "submission:chat_2", "{}")).not.toBe(first);
  storage.write("submission:chat_1", "[1]");
  expect(keyFor(storage, "submission:chat_1", "{}")).toMatch(/^[\w-]{24}$/);
});
