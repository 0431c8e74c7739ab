import { expect, onTestFinished, test } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { createFailureOf, failure } from "../failure.ts";
import { createTabs } from "../tabs/tabs.ts";
import { aRecord, chatId } from "../testing/builders.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { emptyConversation } from "./state.ts";
import { createChatStore } from "./store.ts";

const conversation = { chatId, createKey: "create-0000-1" };
const record = aRecord();
const start = { chatId, requestId: "", messageId: "message_sent", replyId: "reply_1" };

/** A browser tab with the conversation on screen. */
function aTab(onScreen = conversation) {
  const browser = memoryBrowser();
  const tabs = createTabs(browser, defaultBasePath);
  const store = createChatStore(emptyConversation(onScreen), { tabs, browser, failureOf: createFailureOf() });
  store.enter("guest", onScreen);
  store.dispatch({ type: "outbox_changed", records: [record] });
  onTestFinished(() => {
    store.close();
    tabs.close();
  });
  return store;
}

test("a tab that opens during a replay shows the same text as the first tab", async () => {
  const { key } = record;
  const receiving = aTab();
  receiving.dispatch({ type: "turn_started", key, start });
  receiving.dispatch({ type: "turn_delta", key, text: "To Ireland it takes" });
  receiving.dispatch({ type: "turn_started", key, start });
  receiving.dispatch({ type: "turn_delta", key, text: "To Ire" });

  const opened = aTab();
  await expect.poll(() => opened.conversation().reply?.newText).toBe("To Ire");
  expect(opened.conversation().reply?.text).toBe("To Ireland it takes");
  receiving.publish(conversation, { type: "turn_delta", key, text: "land it takes three days" });
  await expect.poll(() => opened.conversation().reply?.text).toBe("To Ireland it takes three days");
  expect(opened.conversation().reply).toEqual(receiving.conversation().reply);
});

test("shows the streaming reply of another tab in a chat that is opened later", async () => {
  const { key } = record;
  const receiving = aTab();
  receiving.dispatch({ type: "turn_started", key, start });
  receiving.dispatch({ type: "turn_delta", key, text: "To Ireland" });
  const other = aTab({ chatId: "chat_00000002", createKey: "create-0000-2" });
  other.show(conversation);
  other.dispatch({ type: "outbox_changed", records: [record] });
  await expect.poll(() => other.conversation().reply?.text).toBe("To Ireland");
});

test("ignores what another build posts, in another tab, and this one does not know", async () => {
  const { key } = record;
  const store = aTab();
  const other = createTabs(memoryBrowser(), defaultBasePath);
  onTestFinished(other.close);
  store.dispatch({ type: "turn_started", key, start });
  const before = store.conversation();
  other.post({ type: "action", conversation, action: { type: "applauded", times: 3 } });
  other.post({ type: "goodbye", who: "a tab" });
  const unknown = { ...failure("internal_error"), code: "overslept" };
  const delivery = { state: "waiting", at: 0, failure: unknown };
  other.post({ type: "action", conversation, action: { type: "delivery_changed", key, delivery } });
  other.post({ type: "action", conversation, action: { type: "sync_failed", failure: unknown } });
  other.post({ type: "action", conversation, action: { type: "turn_delta", key, text: "To Ireland" } });
  await expect.poll(() => store.conversation().reply?.text).toBe("To Ireland");
  expect({ ...store.conversation(), reply: before.reply }).toEqual(before);
});
