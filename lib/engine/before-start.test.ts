import { expect, test, vi } from "vitest";
import { defaultBasePath } from "../chat-api/base-path.ts";
import { hasPendingWork, hasUsedChat } from "./before-start.ts";
import { createRemembered } from "./chats/remembered.ts";
import { failure } from "./failure.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import { createStorages, memoryArea } from "./storage/storage.ts";
import { aRecord } from "./testing/builders.ts";

test("finds the work that the engine has stored as pending", () => {
  const entries: Record<string, string> = {};
  Object.defineProperty(entries, "getItem", { value: (name: string) => entries[name] ?? null });
  vi.stubGlobal("localStorage", entries);
  const local = {
    read: (name: string) => entries[name] ?? null,
    write: (name: string, value: string | null) => {
      if (value === null) delete entries[name];
      else entries[name] = value;
    },
    names: () => Object.keys(entries),
  };
  const browser = { local, tab: memoryArea(), onStored: () => () => undefined };
  const storage = createStorages(browser, defaultBasePath).of("guest");
  const [outbox, remembered] = [createOutboxStore(storage, () => undefined), createRemembered(storage)];
  const isPending = () => hasPendingWork(defaultBasePath);
  expect([hasUsedChat(defaultBasePath), isPending()]).toEqual([false, false]);

  const record = outbox.put(aRecord());
  expect([hasUsedChat(defaultBasePath), isPending()]).toEqual([true, true]);
  outbox.update(record.key, { refusal: failure("chat_closed") });
  expect(isPending()).toBe(false);

  remembered.opened("chat_number_1");
  remembered.changed({ id: "chat_number_1", mode: "teammate" });
  expect(isPending()).toBe(true);
  expect(hasPendingWork("/other")).toBe(false);
});
