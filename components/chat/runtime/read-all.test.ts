import { expect, test } from "vitest";
import { failureOf } from "#lib/conversation/failure.ts";
import { readAllLimits } from "#lib/conversation/limits.ts";
import { type ConversationAction, reduceConversation } from "#lib/conversation/reducer.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { aConversation, aMessage } from "#lib/conversation/testing/builders.ts";
import { readAll } from "./read-all.ts";

const endless: ConversationState["history"] = {
  state: "ready",
  failure: null,
  hasOlder: true,
  older: "idle",
};

/** A conversation on screen whose every step towards the past brings what `step` says. */
function conversationOf(
  step: (count: number, state: ConversationState) => ConversationAction | ConversationState,
) {
  let state = aConversation({ messages: [aMessage()], history: endless });
  let steps = 0;
  return {
    getState: () => state,
    steps: () => steps,
    async loadOlder() {
      steps += 1;
      const next = step(steps, state);
      state = "type" in next ? reduceConversation(state, next) : next;
    },
  };
}

test("a chat is read to its beginning, and no further", async () => {
  const chat = conversationOf((count) => ({
    type: "older_read",
    messages: [aMessage()],
    hasOlder: count < 7,
  }));
  await readAll(chat);
  expect(chat.steps()).toBe(7);
  await readAll(chat);
  expect(chat.steps()).toBe(7);
});

test("a list that does not end is read as far as any chat goes", async () => {
  const chat = conversationOf(() => ({ type: "older_read", messages: [aMessage()], hasOlder: true }));
  await readAll(chat);
  expect(chat.steps()).toBe(readAllLimits.steps);
  expect(chat.getState().history.hasOlder).toBe(true);
});

test("a list that brings the same messages again and again is left", async () => {
  const same = [aMessage()];
  const chat = conversationOf(() => ({ type: "older_read", messages: same, hasOlder: true }));
  await readAll(chat);
  expect(chat.steps()).toBe(1 + readAllLimits.barrenSteps);
});

test("what cannot be read ends it", async () => {
  const chat = conversationOf(() => ({ type: "older_failed", failure: failureOf(new Error("cut")) }));
  await readAll(chat);
  expect(chat.steps()).toBe(1);
});

test("another conversation that comes on screen is not read along", async () => {
  const other = aConversation({ createKey: "another", history: endless });
  const chat = conversationOf(() => other);
  await readAll(chat);
  expect(chat.steps()).toBe(1);
});
