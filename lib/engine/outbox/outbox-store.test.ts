import { expect, test } from "vitest";
import { failure } from "../failure.ts";
import { createStorages } from "../storage/storage.ts";
import { attemptName, placeName } from "../storage-names.ts";
import { aRecord } from "../testing/builders.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { browserTabs, memoryStorage } from "../testing/memory-storage.ts";
import { createOutboxStore } from "./outbox-store.ts";

test("an update does not restore a message that was taken back", () => {
  const outbox = createOutboxStore(memoryStorage(), () => undefined);
  const { key } = outbox.put(aRecord());
  outbox.remove(key);
  expect(outbox.update(key, { attempted: true })).toBeNull();
  expect(outbox.all()).toEqual([]);
});

test("another tab never sees a refused message without its refusal, and sends it", () => {
  const browser = memoryBrowser();
  const storages = createStorages(browser, "/api/chat");
  const outboxes = ["guest", "tag-of-42"].map((owner) =>
    createOutboxStore(storages.of(owner), () => undefined),
  );
  /** The entries that another tab sees after each write. */
  const seen: (string | undefined)[] = [];
  const { write } = browser.local;
  browser.local.write = (name, value) => {
    write(name, value);
    for (const { refusal } of outboxes.flatMap((outbox) => outbox.all())) seen.push(refusal?.code);
  };
  const refused = outboxes[0]?.put(aRecord({ refusal: failure("outdated") }));
  storages.rename("guest", "tag-of-42");
  outboxes[1]?.remove(refused?.key ?? "");
  expect(new Set(seen)).toEqual(new Set(["outdated"]));
});

test("a late write of another tab neither restores a delivered message nor moves a waiting one back", () => {
  const { tabs, deliver } = browserTabs(2);
  const [one, other] = tabs.map((storage) => createOutboxStore(storage, () => undefined));
  const [delivered, waiting] = [aRecord({ createdAt: 1 }), aRecord({ afterMessageId: null })];
  for (const record of [delivered, waiting]) one?.put(record);
  deliver();
  one?.remove(delivered.key);
  one?.update(waiting.key, { afterMessageId: "message_1" });
  for (const { key } of [delivered, waiting]) other?.update(key, { refusal: failure("chat_closed") });
  other?.update(delivered.key, { takenIds: ["message_2"] });
  deliver();
  const now = [{ ...waiting, afterMessageId: "message_1", refusal: failure("chat_closed") }];
  expect([one?.all(), other?.all()]).toEqual([now, now]);
  // The next page removes what the late write has left.
  createOutboxStore(tabs[0] ?? memoryStorage(), () => undefined);
  expect(tabs[0]?.names("")).toHaveLength(3);
});

test("a tab that opens between the writes of another one leaves them", () => {
  const { tabs, deliver } = browserTabs(2);
  const [one, other] = tabs.map((storage) => ({
    storage,
    open: () => createOutboxStore(storage, () => undefined),
  }));
  const outbox = one?.open();
  const sent = aRecord({ chatId: null, attempted: false, createdAt: Date.now() });
  outbox?.put(sent);
  // The writes arrive in this order, and the last one has not arrived yet.
  for (const name of [attemptName(sent.key), placeName(sent.key)])
    other?.storage.writeElsewhere(name, one?.storage.read(name) ?? null);
  const now = outbox?.update(sent.key, { chatId: "chat_00000001", attempted: true });
  const opened = other?.open();
  deliver();
  expect([outbox?.all(), opened?.all()]).toEqual([[now], [now]]);
});
