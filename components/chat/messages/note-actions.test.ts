import { beforeEach, expect, test, vi } from "vitest";
import { type Draft, emptyDraft } from "../../../lib/engine/chats/draft.ts";
import { aConversation, aFile } from "../../../lib/engine/testing/builders.ts";
import { inertRuntime } from "../../../lib/engine/testing/inert-runtime.ts";
import { pressButton, takeBack } from "./note-actions.ts";

const file = aFile();
const retry = vi.fn();
const startOver = vi.fn();
const reload = vi.fn();
let draft: Draft;

beforeEach(() => {
  draft = { ...emptyDraft, text: "half a question" };
});

/** A chat with two refused messages; the second one has a file. */
function runtimeOf() {
  const refused = new Map<string, Draft>([
    ["key-1", { ...emptyDraft, text: "First" }],
    ["key-2", { ...emptyDraft, text: "Second", files: [file] }],
  ]);
  const runtime = inertRuntime(aConversation(), {
    chats: { startOver },
    history: { reload },
    delivery: {
      retry,
      takeBack(key) {
        const taken = refused.get(key) ?? emptyDraft;
        refused.delete(key);
        return taken;
      },
    },
  });
  const set = (changed: Draft) => {
    draft = changed;
  };
  return { ...runtime, draft: { ...runtime.draft, get: () => draft, set } };
}
const keys = ["key-1", "key-2"];

test.each(["try_again", "ask_again"] as const)("%s repeats every message of the note", (button) => {
  pressButton(button, keys, runtimeOf());
  expect(retry.mock.calls).toEqual([["key-1"], ["key-2"]]);
});

test("editing puts the refused texts, in order and with their files, above the draft", () => {
  takeBack(runtimeOf(), keys);
  expect(draft).toEqual({ text: "First\nSecond\nhalf a question", files: [file], lost: [] });
});

test("choosing another file takes the message back with only the names of its files", () => {
  pressButton("choose_file", keys, runtimeOf());
  expect(draft).toEqual({ text: "First\nSecond\nhalf a question", files: [], lost: [file.filename] });
});

test("starting a new chat or reloading the messages leaves messages and draft alone", () => {
  pressButton("new_chat", keys, runtimeOf());
  pressButton("reload_messages", keys, runtimeOf());
  expect([startOver.mock.calls.length, reload.mock.calls.length]).toEqual([1, 1]);
  expect(retry).not.toHaveBeenCalled();
  expect(draft.text).toBe("half a question");
});
