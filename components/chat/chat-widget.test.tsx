// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { ChatWidget } from "./chat-widget.tsx";
import { mounted } from "./testing/mounted.ts";

/** Waits for the effects of the chat's own root, too, which need the `window` of this file. */
async function unmount(root: Root): Promise<void> {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  await act(() => root.unmount());
}

test("shows its button in a host's unit test, and prints nothing", async () => {
  const printers = (["error", "warn", "log"] as const).map((name) => vi.spyOn(console, name));
  const { place, render, unmount } = await mounted(
    <ChatWidget agentName="Wren" shopName="Tarn & Tread" theme="host" />,
  );
  expect(place.querySelector("button")?.textContent).toBe("Chat with us");
  await render(<ChatWidget agentName="Wren" shopName="Tarn & Tread" locale="de" />);
  expect(place.querySelector("button")?.textContent).toBe("Mit uns chatten");
  await unmount();
  expect(place.innerHTML).toBe("");
  for (const printer of printers) expect(printer).not.toHaveBeenCalled();
});

test.each([
  ["a locale of null", { locale: null }],
  ["a locale that is no text", { locale: 7 }],
  ["no languages", { languages: null }],
  ["plural forms of the button's text", { strings: { launcher: { open: { other: "Chat" } } } }],
  ["a text of null", { strings: { launcher: { open: null } } }],
  ["an offset of null", { offset: null }],
])("keeps its button in a page of plain JavaScript that gives %s", async (_, given: object) => {
  const { place } = await mounted(<ChatWidget agentName="Wren" shopName="Tarn & Tread" {...given} />);
  expect(place.querySelector("button")?.textContent).toMatch(/^Chat/);
});

test("opens for a request of the page that comes as soon as the button is there", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  root.render(<ChatWidget agentName="Wren" shopName="Tarn & Tread" />);
  await new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (place.querySelector("button") === null) return;
      observer.disconnect();
      window.dispatchEvent(new CustomEvent("shop-chat:open"));
      resolve();
    });
    observer.observe(place, { childList: true, subtree: true });
  });
  await vi.waitFor(() => expect(place.querySelector("button")?.ariaBusy).toBe("true"));
  await unmount(root);
});

test("opens for a request that the page has made before its chat is mounted", async () => {
  window.dispatchEvent(new CustomEvent("shop-chat:open"));
  const { place } = await mounted(<ChatWidget agentName="Wren" shopName="Tarn & Tread" />);
  expect(place.querySelector("button")?.ariaBusy).toBe("true");
});

test("leaves the focus in the page's field when the page closes the chat", async () => {
  const [opener, field] = ["button", "input"].map((name) =>
    document.body.appendChild(document.createElement(name)),
  );
  const { place } = await mounted(<ChatWidget agentName="Wren" shopName="Tarn & Tread" />);
  opener?.focus();
  act(() => void window.dispatchEvent(new CustomEvent("shop-chat:open")));
  expect(place.querySelector("button")?.ariaBusy).toBe("true");
  field?.focus();
  act(() => void window.dispatchEvent(new Event("shop-chat:close")));
  expect(document.activeElement).toBe(field);
});

test("asks who the customer is once, however often the page renders texts of its own", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  class InertObserver {
    observe = () => undefined;
    disconnect = () => undefined;
  }
  // jsdom has neither.
  vi.stubGlobal("ResizeObserver", InertObserver);
  vi.stubGlobal("IntersectionObserver", InertObserver);
  const asked = vi.fn(() => new Promise<Response>(() => undefined));
  vi.stubGlobal("fetch", asked);
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  const names = { agentName: "Wren", shopName: "Tarn & Tread", mode: "inline", openOnLoad: true } as const;
  for (const title of ["Hello!", "Good morning!", "Good evening!"]) {
    root.render(<ChatWidget {...names} strings={{ welcome: { title } }} />);
    await vi.waitFor(() => expect(place.textContent).toContain(title), { timeout: 10_000 });
  }
  expect(asked).toHaveBeenCalledOnce();
  await unmount(root);
});
