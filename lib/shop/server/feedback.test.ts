import { appendFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Feedback } from "#lib/bff/server.ts";
import { readFeedbackSums, storeFeedback } from "./feedback.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "feedback-"));
});
afterEach(() => rm(folder, { recursive: true }));

const press = (parts: Partial<Feedback>): Feedback => ({
  ...{ id: "press_0001", customer: null, chatId: "chat_0001", messageId: null, kind: "up", value: 1 },
  ...parts,
});

test("counts the latest press of each message and chat, and none that was taken back", async () => {
  expect(await readFeedbackSums(folder)).toEqual({ up: 0, down: 0, ratings: 0, rating: null });
  for (const parts of [
    { messageId: "a", kind: "up", value: 1 },
    { messageId: "a", kind: "down", value: 1 },
    { messageId: "b", kind: "up", value: 1 },
    { messageId: "b", kind: "up", value: 1 },
    { messageId: "c", kind: "up", value: 1 },
    { messageId: "c", kind: "up", value: 0 },
    { kind: "rating", value: 2 },
    { kind: "rating", value: 5 },
    { chatId: "chat_0002", kind: "rating", value: 4 },
  ] satisfies Partial<Feedback>[])
    await storeFeedback(press(parts), folder);
  expect(await readFeedbackSums(folder)).toEqual({ up: 1, down: 1, ratings: 2, rating: 4.5 });
});

test("reads on after a line that a crash cut short", async () => {
  await appendFile(join(folder, "feedback.jsonl"), '\n{"chatId":"chat_0001","messageId":"a","kind":"u');
  await storeFeedback(press({ messageId: "b" }), folder);
  expect(await readFeedbackSums(folder)).toMatchObject({ up: 1 });
});

test("keeps a bounded amount, readable by the owner alone", async () => {
  const id = "x".repeat(3_000);
  for (let count = 0; count < 300; count++)
    await storeFeedback(press({ messageId: `message_${count}`, id }), folder);
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map((file) => stat(join(folder, file))));
  expect(sizes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600]);
  expect(Math.max(...sizes.map(({ size }) => size))).toBeLessThan(300_000);
  expect((await readFeedbackSums(folder)).up).toBeGreaterThan(80);
});
