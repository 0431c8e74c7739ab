// @vitest-environment jsdom
import { act } from "react";
import { expect, test, vi } from "vitest";
import type { ChatEngine } from "../../../lib/engine/chat.ts";
import { createFailureOf } from "../../../lib/engine/failure.ts";
import { createChatStore } from "../../../lib/engine/state/store.ts";
import { aConversation, aMessage, aRecord } from "../../../lib/engine/testing/builders.ts";
import { inertChat } from "../../../lib/engine/testing/inert-chat.ts";
import { ChatContext } from "../chat-context.ts";
import { Composer } from "../composer/composer.tsx";
import { Announcements } from "../panel/announcements.tsx";
import { PanelHeader, StatusBar } from "../panel/panel-header.tsx";
import { mounted } from "../testing/mounted.ts";
import { testChat } from "../testing/rendered.ts";
import { MessageList } from "./message-list.tsx";

interface Fiber {
  alternate: Fiber | null;
  child: Fiber | null;
  sibling: Fiber | null;
  flags: number;
  type: unknown;
}

/** React's flag of a component that has rendered. */
const performedWork = 1;

/** The names of the components that have rendered in the last commit. */
function renderedSince(place: Element): string[] {
  const [, container] = Object.entries(place).find(([name]) => name.startsWith("__reactContainer")) ?? [];
  const names: string[] = [];
  const visit = (fiber: Fiber) => {
    if (typeof fiber.type === "function" && (fiber.flags & performedWork) !== 0) names.push(fiber.type.name);
    // What React has not looked at keeps its children.
    if (fiber.child === fiber.alternate?.child) return;
    for (let child = fiber.child; child !== null; child = child.sibling) visit(child);
  };
  const root: { stateNode: { current: Fiber } } = container;
  visit(root.stateNode.current);
  return names;
}

const nothing = () => undefined;

test("a piece of a reply renders its row again, and no other", async () => {
  // jsdom has no layout.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = nothing;
      disconnect = nothing;
    },
  );
  const record = aRecord();
  const store = createChatStore(
    aConversation({ messages: [aMessage({ text: "Hello" }), aMessage({ text: "Yes?", role: "visitor" })] }),
    { browser: { isVisible: () => false, beforeFrame: () => nothing }, failureOf: createFailureOf() },
  );
  const { chatId } = store.conversation();
  const start = { chatId: chatId ?? "", requestId: "", messageId: "message_1", replyId: "reply_1" };
  store.dispatch({ type: "outbox_changed", records: [{ ...record, chatId }] });
  store.dispatch({ type: "turn_started", key: record.key, start });
  store.dispatch({ type: "turn_delta", key: record.key, text: "We" });
  const chat: ChatEngine = { ...inertChat(), getState: store.getState, subscribe: store.subscribe };
  const { place } = await mounted(
    <ChatContext value={{ ...testChat, chat }}>
      <PanelHeader titleId="title" onPreviousChats={nothing} floating={null} />
      <StatusBar isOnline />
      <MessageList isOpen isHidden={false} focusComposer={nothing} />
      <Composer />
      <Announcements isOpen />
    </ChatContext>,
  );
  await act(() => store.dispatch({ type: "turn_delta", key: record.key, text: " deliver" }));
  expect(place.textContent).toContain("We deliver");
  const rendered = renderedSince(place);
  expect(rendered.filter((name) => name === "TimelineRowView")).toHaveLength(1);
  const around = ["UnlistedRows", "Rows", "Contained", "CrashBoundary", "RowContent"];
  const grown = ["TimelineRowView", "ReplyRow", "Row", "Author", "Avatar", "MessageText"];
  expect(new Set(rendered)).toEqual(new Set([...around, ...grown]));
});
