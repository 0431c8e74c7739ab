import { beforeEach, vi } from "vitest";

export const sessionStorageOf = (kept: Map<string, string>) => ({
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => void kept.set(name, value),
  removeItem: (name: string) => void kept.delete(name),
});

/** Gives each test of a file a window with an empty session storage. Returns what it holds. */
export function withSessionStorage(): Map<string, string> {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("window", { sessionStorage: sessionStorageOf(kept) });
    vi.stubGlobal("navigator", { onLine: true });
  });
  return kept;
}
