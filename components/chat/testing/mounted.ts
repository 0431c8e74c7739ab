import { act, type ReactNode } from "react";
import { createRoot, type RootOptions } from "react-dom/client";
import { onTestFinished, vi } from "vitest";

/** Renders this into the page, and unmounts it after the test with all effects, which need the `window`. */
export async function mounted(node: ReactNode, options?: RootOptions) {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place, options);
  const render = (now: ReactNode) => act(() => root.render(now));
  const unmount = () => act(() => root.unmount());
  onTestFinished(unmount);
  await render(node);
  return { place, render, unmount };
}
