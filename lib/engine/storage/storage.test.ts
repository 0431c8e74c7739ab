import { expect, test } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import type { StorageArea } from "../browser/browser.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { createStorages, memoryArea } from "./storage.ts";

/** A page whose storage areas refuse all writes of values while `isFull`. */
function aPage() {
  const state = { isFull: false };
  const limited = () => {
    const area = memoryArea();
    return {
      ...area,
      write(name: string, value: string | null) {
        if (state.isFull && value !== null)
          throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
        area.write(name, value);
      },
    };
  };
  const browser = memoryBrowser({ local: limited(), tab: limited() });
  return { state, browser, storages: createStorages(browser, defaultBasePath) };
}

test("keeps in memory what a full storage refuses, and reports that it will not last", () => {
  const { state, storages } = aPage();
  const storage = storages.of("guest");
  storage.write("current", "first");
  state.isFull = true;
  storage.write("current", "second");
  storage.write("draft:1", "new");
  expect([storage.read("current"), storage.isLasting()]).toEqual(["second", false]);
  expect(storage.names("")).toEqual(["current", "draft:1"]);
  storage.write("draft:1", null);
  state.isFull = false;
  storage.write("current", "third");
  expect([storage.read("current"), storage.isLasting()]).toEqual(["third", true]);
  expect(storages.of("guest").read("current")).toBe("third");
});

test("one page finds again what a full storage refused, for one owner and for the tab", () => {
  const { state, storages } = aPage();
  state.isFull = true;
  storages.of("guest").write("draft:1", "half a question");
  storages.tab.write("offer-email:1", "maya@example.com");
  expect(storages.of("guest").read("draft:1")).toBe("half a question");
  expect(storages.of("tag-of-42").names("")).toEqual([]);
  expect(storages.tab.read("offer-email:1")).toBe("maya@example.com");
  storages.rename("guest", "tag-of-42");
  expect(storages.of("guest").read("draft:1")).toBeNull();
});

test("keeps what this page has written when the browser loses it, until another tab removes it", () => {
  const { browser, storages } = aPage();
  const storage = storages.of("guest");
  storages.setOwner("guest");
  for (const name of ["message:1", "message:2", "message:3"]) storage.write(name, "x");
  storage.write("message:2", null);
  for (const name of browser.local.names()) browser.local.write(name, null);
  expect([storages.owner(), storage.read("message:1")]).toEqual(["guest", "x"]);
  expect(storage.names("")).toEqual(["message:1", "message:3"]);
  storages.onOwner(() => undefined);
  browser.writeElsewhere("shop-chat:1:guest:message:3", null);
  expect(storage.names("")).toEqual(["message:1"]);
});

test("uses areas whose methods need their object, such as a host's class", () => {
  class Area implements StorageArea {
    readonly values = new Map<string, string>();
    read(name: string) {
      return this.values.get(name) ?? null;
    }
    write(name: string, value: string | null) {
      if (value === null) this.values.delete(name);
      else this.values.set(name, value);
    }
    names() {
      return [...this.values.keys()];
    }
  }
  const storage = createStorages(memoryBrowser({ local: new Area(), tab: new Area() }), defaultBasePath).of(
    "guest",
  );
  storage.write("current", "x");
  expect(storage.names("")).toEqual(["current"]);
});

test("reads and reports only the owner's own entries", () => {
  const { browser, storages } = aPage();
  const [guest, ada] = [storages.of("guest"), storages.of("tag-of-42")];
  guest.write("draft", "of the guest");
  expect(ada.read("draft")).toBeNull();
  const heard: string[] = [];
  ada.onChange((name) => heard.push(name));
  for (const owner of ["guest", "tag-of-42"]) browser.writeElsewhere(`shop-chat:1:${owner}:draft`, "x");
  expect(heard).toEqual(["draft"]);
});

test("clears the drafts of customers who have signed out, and keeps their sent messages", () => {
  const { storages } = aPage();
  const entries = ["draft:chat_1", "draft:create-0000-1", "message:key-0000-1"];
  for (const owner of ["guest", "tag-of-42"]) for (const name of entries) storages.of(owner).write(name, "x");
  storages.clearDraftsOfOthers("guest");
  expect(storages.of("guest").names("")).toEqual(entries);
  expect(storages.of("tag-of-42").names("")).toEqual(["message:key-0000-1"]);
});
