import { expect, onTestFinished, test, vi } from "vitest";
import { createSession } from "./session.ts";
import { createTabs } from "./tabs.ts";

test("a server that never says whose session it is holds nothing back for ever", async () => {
  const tabs = createTabs();
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  // As fetch does where nothing comes.
  vi.stubGlobal("fetch", (_address: string, { signal }: RequestInit) => {
    const { promise, reject } = Promise.withResolvers<never>();
    signal?.addEventListener("abort", () => reject(signal.reason));
    return promise;
  });
  onTestFinished(() => {
    tabs.close();
    vi.unstubAllGlobals();
  });
  const session = createSession(tabs);
  const started = session.start();
  await expect.poll(() => timeout.mock.calls.length, { timeout: 1_000 }).toBe(1);
  expect(timeout.mock.calls[0]?.[0]).toBeLessThanOrEqual(60_000);
  patience.abort(new DOMException("No answer came.", "TimeoutError"));
  await expect(started).rejects.toThrow("No answer came.");
  await session.settled();
});
