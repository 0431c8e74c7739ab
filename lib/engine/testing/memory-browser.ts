import { expect } from "vitest";
import type { Browser } from "../browser/browser.ts";
import { type MemoryBrowser, memoryTab } from "./memory-tab.ts";

export type { MemoryBrowser };

/** A tab in memory. All tabs of a test are of one browser. */
export function memoryBrowser(overrides: Partial<Browser> = {}): MemoryBrowser {
  const { testPath, currentTestName } = expect.getState();
  return memoryTab(overrides, `${testPath} ${currentTestName} `);
}
