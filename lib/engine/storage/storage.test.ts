import { beforeEach, expect, test, vi } from "vitest";
import { clearDraftsOfOthers, clearStorage, createStorage, tabStorage } from "./storage.ts";

let hear: (event: { key: string | null }) => void;

/** A browser's storage area, which refuses to grow while `isFull`. Its methods are on the prototype. */
class StorageArea {
  [name: string]: unknown;
  static isFull = false;

  getItem(name: string): string | null {
    const value = this[name];
    return typeof value === "string" ? value : null;
  }

  setItem(name: string, value: string): void {
    if (StorageArea.isFull) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    this[name] = value;
  }

  removeItem(name: string): void {
    delete this[name];
  }
}

beforeEach(() => {
  StorageArea.isFull = false;
  const localStorage = new StorageArea();
  vi.stubGlobal("window", {
    localStorage,
    sessionStorage: new StorageArea(),
    addEventListener: (_: string, listener: typeof hear) => {
      hear = listener;
    },
    removeEventListener: () => undefined,
  });
});

test("keeps in memory what a full storage refuses, and reports that it will not last", () => {
  const storage = createStorage("guest");
  storage.write("current", "first");
  StorageArea.isFull = true;
  storage.write("current", "second");
  storage.write("draft:1", "new");
  expect([storage.read("current"), storage.isLasting()]).toEqual(["second", false]);
  expect(storage.names("")).toEqual(["current", "draft:1"]);
  storage.write("draft:1", null);
  StorageArea.isFull = false;
  storage.write("current", "third");
  expect([storage.read("current"), storage.isLasting()]).toEqual(["third", true]);
  expect(createStorage("guest").read("current")).toBe("third");
});

test("one page finds again what a full storage refused, for one owner and for the tab", () => {
  StorageArea.isFull = true;
  createStorage("guest").write("draft:1", "half a question");
  tabStorage.write("offer-email:1", "maya@example.com");
  expect(createStorage("guest").read("draft:1")).toBe("half a question");
  expect(createStorage("tag-of-42").names("")).toEqual([]);
  expect(tabStorage.read("offer-email:1")).toBe("maya@example.com");
  clearStorage("guest");
  expect(createStorage("guest").read("draft:1")).toBeNull();
});

test("reads and reports only the owner's own entries", () => {
  const [guest, ada] = [createStorage("guest"), createStorage("tag-of-42")];
  guest.write("draft", "of the guest");
  expect(ada.read("draft")).toBeNull();
  const heard: string[] = [];
  ada.onChange((name) => heard.push(name));
  hear({ key: "shop-chat:1:guest:draft" });
  hear({ key: null });
  hear({ key: "shop-chat:1:tag-of-42:draft" });
  expect(heard).toEqual(["draft"]);
});

test("clears one owner's entries", () => {
  for (const owner of ["guest", "guest-2"]) createStorage(owner).write("draft", "x");
  clearStorage("guest");
  expect(createStorage("guest").names("")).toEqual([]);
  expect(createStorage("guest-2").names("")).toEqual(["draft"]);
});

test("clears the drafts of customers who have signed out, and keeps their sent messages", () => {
  const entries = ["draft:chat_1", "draft:create-0000-1", "message:key-0000-1"];
  for (const owner of ["guest", "tag-of-42"])
    for (const name of entries) createStorage(owner).write(name, "x");
  clearDraftsOfOthers("guest");
  expect(createStorage("guest").names("")).toEqual(entries);
  expect(createStorage("tag-of-42").names("")).toEqual(["message:key-0000-1"]);
});
