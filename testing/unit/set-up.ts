/** Runs around every unit test. */
import { afterEach, beforeEach, onTestFinished, vi } from "vitest";

// The test's own clean-up runs earlier and may need the stubs.
beforeEach(() =>
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  }),
);
afterEach(() => void vi.useRealTimers());
