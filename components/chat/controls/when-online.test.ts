import { afterEach, expect, test, vi } from "vitest";
import { whenOnline } from "./when-online.ts";

afterEach(() => vi.unstubAllGlobals());

test("what waits for the network goes on when it is back, and at once where it is there", async () => {
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("navigator", { onLine: false });
  const goneOn = vi.fn();
  const waiting = whenOnline().then(goneOn);
  await Promise.resolve();
  expect(goneOn).not.toHaveBeenCalled();
  page.dispatchEvent(new Event("online"));
  await waiting;
  expect(goneOn).toHaveBeenCalled();

  vi.stubGlobal("navigator", { onLine: true });
  await whenOnline();
});
