// @vitest-environment jsdom
import { act, useRef } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { useFocusBack } from "./use-focus.ts";

function Probe({ createKey }: { createKey: string }) {
  const panel = useRef<HTMLDialogElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  useFocusBack(panel, composer, false, createKey);
  return (
    <dialog ref={panel} open>
      <div role="menu" tabIndex={-1}>
        <button type="button">Item</button>
      </div>
      <h2 tabIndex={-1}>Wren</h2>
      <textarea ref={composer} />
    </dialog>
  );
}

/** The element that has the focus once another conversation has come, from the element of this selector. */
async function focusedAfter(selector: string): Promise<string | undefined> {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  await act(() => root.render(<Probe createKey="first" />));
  place.querySelector<HTMLElement>(selector)?.focus();
  await act(() => root.render(<Probe createKey="second" />));
  const focused = document.activeElement?.tagName;
  await act(() => root.unmount());
  return focused;
}

test("moves the focus to the composer when another conversation comes", async () => {
  expect(await focusedAfter("h2")).toBe("TEXTAREA");
});

test("leaves the focus in an open menu, which would close without it", async () => {
  expect(await focusedAfter("button")).toBe("BUTTON");
});
