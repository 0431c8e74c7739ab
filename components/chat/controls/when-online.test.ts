import { expect, test, vi } from "vitest";
import { whenOnline } from "./when-online.ts";

test("resolves at once when online, else when the network returns", async () => {
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
