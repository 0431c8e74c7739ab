import { expect, test } from "vitest";
import { failure } from "../failure.ts";
import { readAllLimits } from "../limits.ts";
import { type ConversationAction, reduceConversation } from "../state/reducer.ts";
import type { ConversationState } from "../state/state.ts";
import { aConversation, aMessage } from "../testing/builders.ts";
import { inertRuntime } from "../testing/inert-runtime.ts";
import { readAll } from "./read-all.ts";

const endless: ConversationState["history"] = {
  state: "ready",
  failure: null,
  retryAt: null,
  hasOlder: true,
  older: "idle",
};

/** A conversation on screen; each load of earlier messages returns what `step` says. */
function conversationOf(
  step: (count: number, state: ConversationState) => ConversationAction | ConversationState,
) {
  let state = aConversation({ messages: [aMessage()], history: endless });
  let steps = 0;
  return {
    getState: () => state,
    steps: () => steps,
    history: {
      ...inertRuntime(state).history,
      async loadOlder() {
        steps += 1;
        const next = step(steps, state);
        state = "type" in next ? reduceConversation(state, next) : next;
      },
    },
  };
}

test("reads a chat to its beginning and no further", async () => {
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

test("stops reading an endless list at the limit of loads", async () => {
  const chat = conversationOf(() => ({ type: "older_read", messages: [aMessage()], hasOlder: true }));
  await readAll(chat);
  expect(chat.steps()).toBe(readAllLimits.steps);
  expect(chat.getState().history.hasOlder).toBe(true);
});

test("stops at a list that repeats its messages", async () => {
  const same = [aMessage()];
  const chat = conversationOf(() => ({ type: "older_read", messages: same, hasOlder: true }));
  await readAll(chat);
  expect(chat.steps()).toBe(1 + readAllLimits.emptySteps);
});

test("stops at a failure", async () => {
  const chat = conversationOf(() => ({ type: "older_failed", failure: failure("connection_lost") }));
  await readAll(chat);
  expect(chat.steps()).toBe(1);
});

test("stops when another conversation comes on screen", async () => {
  const other = aConversation({ createKey: "another", history: endless });
  const chat = conversationOf(() => other);
  await readAll(chat);
  expect(chat.steps()).toBe(1);
});
