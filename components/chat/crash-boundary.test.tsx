// @vitest-environment jsdom
import { act, type ReactElement } from "react";
import { expect, test, vi } from "vitest";
import { createFailureOf } from "../../lib/engine/failure.ts";
import { aCollection, aMessage, aRequest } from "../../lib/engine/testing/builders.ts";
import { ChatContext } from "./chat-context.ts";
import { RowPage } from "./messages/row-page.tsx";
import { PanelHeader } from "./panel/panel-header.tsx";
import { mounted } from "./testing/mounted.ts";
import { testChat } from "./testing/rendered.ts";

async function shown(element: ReactElement, chat: Partial<typeof testChat.chat> = {}) {
  const reported = vi.fn();
  const failureOf = createFailureOf(reported);
  const value = { ...testChat, chat: { ...testChat.chat, failureOf, ...chat } };
  const inChat = (now: ReactElement) => <ChatContext value={value}>{now}</ChatContext>;
  const { place, render } = await mounted(inChat(element), { onCaughtError: () => undefined });
  return { place, reported, render: (now: ReactElement) => render(inChat(now)) };
}

test("keeps the other messages when one cannot be rendered", async () => {
  const collection = { ...aCollection({ request: aRequest() }) };
  const error = new Error("the form's fields");
  Object.defineProperty(collection, "fields", {
    get() {
      throw error;
    },
  });
  const look = { kind: "message", startsGroup: true, endsGroup: true, showsTime: false } as const;
  const [broken, whole] = [aMessage({ text: "Broken", collection }), aMessage({ text: "Whole" })];
  const rows = [broken, whole].map((message) => ({ ...look, id: message.id, message }));
  const { place, reported } = await shown(
    <RowPage rows={rows} isNewest={false} answerableId={null} latestFormId={broken.id} />,
  );
  expect(place.textContent).toContain("Whole");
  expect(place.textContent).toContain(testChat.t.problems.pageError);
  expect(reported).toHaveBeenCalledWith(error);
});

test("renders a message that could not be rendered when it changes", async () => {
  const look = { kind: "message", startsGroup: true, endsGroup: true, showsTime: false } as const;
  const message = aMessage({ text: "Whole" });
  const broken = { ...message };
  Object.defineProperty(broken, "text", {
    get() {
      throw new Error("the text");
    },
  });
  const pageOf = (shownMessage: typeof message) => (
    <RowPage
      rows={[{ ...look, id: message.id, message: shownMessage }]}
      isNewest={false}
      answerableId={null}
      latestFormId={null}
    />
  );
  const { place, render } = await shown(pageOf(broken));
  expect(place.textContent).toBe(testChat.t.problems.pageError);
  await render(pageOf(message));
  expect(place.textContent).toContain("Whole");
});

test("keeps the panel's head when its menu cannot be rendered", async () => {
  const { place, reported } = await shown(
    <PanelHeader titleId="title" onPreviousChats={vi.fn()} floating={null} />,
    {
      preferences() {
        throw new Error("the preferences");
      },
    },
  );
  await act(() => place.querySelector<HTMLElement>("[aria-haspopup=menu]")?.click());
  expect(place.textContent).toContain("Wren");
  expect(place.querySelector("[role=alert]")?.textContent).toBe(testChat.t.problems.pageError);
  expect(reported).toHaveBeenCalledOnce();
});
