// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { ChatWidget } from "./chat-widget.tsx";

test("shows its button in a host's unit test, and prints nothing", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const printers = (["error", "warn", "log"] as const).map((name) => vi.spyOn(console, name));
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  await act(() => root.render(<ChatWidget agentName="Wren" shopName="Tarn & Tread" theme="host" />));
  expect(place.querySelector("button")?.textContent).toBe("Chat with us");
  await act(() => root.render(<ChatWidget agentName="Wren" shopName="Tarn & Tread" locale="de" />));
  expect(place.querySelector("button")?.textContent).toBe("Mit uns chatten");
  await act(() => root.unmount());
  expect(place.innerHTML).toBe("");
  for (const printer of printers) expect(printer).not.toHaveBeenCalled();
});
