import { afterEach, expect, test, vi } from "vitest";

// Other test files load the module with the real `require`.
afterEach(() => void vi.resetModules());

/** Loads packages by a `require` that throws this. */
async function loadWith(thrown: unknown) {
  vi.resetModules();
  vi.spyOn(process, "getBuiltinModule").mockReturnValue({
    createRequire: () => () => {
      throw thrown;
    },
  });
  return (await import("./optional-package.ts")).loadOptional;
}

test("knows a missing package by the error's code, whatever the runtime's words", async () => {
  const inNode = Object.assign(new Error("Cannot find module 'ioredis'"), { code: "MODULE_NOT_FOUND" });
  const inBun = { code: "ERR_MODULE_NOT_FOUND", message: 'Cannot find package "ioredis" from "/app"' };
  expect((await loadWith(inNode))("ioredis")).toBeUndefined();
  expect((await loadWith(inBun))("ioredis")).toBeUndefined();
});

test("passes on an installed package's own failure", async () => {
  const load = await loadWith(new Error("ioredis needs another Node"));
  expect(() => load("ioredis")).toThrow("ioredis needs another Node");
});
