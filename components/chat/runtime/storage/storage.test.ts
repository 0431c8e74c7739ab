import { beforeEach, expect, test, vi } from "vitest";
import { clearStorage, createStorage } from "./storage.ts";

let hear: (event: { key: string | null }) => void;

beforeEach(() => {
  vi.stubGlobal("window", {
    addEventListener: (_: string, listener: typeof hear) => {
      hear = listener;
    },
    removeEventListener: () => undefined,
  });
});

/** A browser's storage area, which refuses to grow while `isFull`. */
function anArea() {
  const kept: Record<string, string> = {};
  const area = {
    isFull: false,
    getItem: (name: string) => kept[name] ?? null,
    setItem(name: string, value: string) {
      if (area.isFull) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      kept[name] = value;
    },
    removeItem: (name: string) => void delete kept[name],
  };
  return { area, open: (owner: string) => createStorage(owner, () => area as unknown as Storage) };
}

test("keeps in memory what a full storage refuses, and reports that it will not last", () => {
  const { area, open } = anArea();
  const storage = open("guest");
  storage.write("outbox", "first");
  area.isFull = true;
  storage.write("outbox", "second");
  expect([storage.read("outbox"), storage.isLasting()]).toEqual(["second", false]);
  area.isFull = false;
  storage.write("outbox", "third");
  expect([storage.read("outbox"), storage.isLasting()]).toEqual(["third", true]);
  expect(open("guest").read("outbox")).toBe("third");
});

test("reads and reports only the owner's own entries", () => {
  const { open } = anArea();
  const [guest, ada] = [open("guest"), open("tag-of-42")];
  guest.write("draft", "of the guest");
  expect(ada.read("draft")).toBeNull();
  const heard: string[] = [];
  ada.onChange((name) => heard.push(name));
  hear({ key: "shop-chat:1:guest:draft" });
  hear({ key: null });
  hear({ key: "shop-chat:1:tag-of-42:draft" });
  expect(heard).toEqual(["draft"]);
});

/** `removeItem` is on the prototype, as in a browser. */
class LocalStorage {
  [name: string]: unknown;

  removeItem(name: string): void {
    delete this[name];
  }
}

test("clears one owner's entries", () => {
  const kept = new LocalStorage();
  vi.stubGlobal("localStorage", kept);
  for (const owner of ["guest", "guest-2"]) kept[`shop-chat:1:${owner}:draft`] = "x";
  clearStorage("guest");
  expect(Object.keys(kept)).toEqual(["shop-chat:1:guest-2:draft"]);
});
