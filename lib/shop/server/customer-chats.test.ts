import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCustomerChats } from "./customer-chats.ts";

test("lists each customer's chats of two processes, the latest first, without those forgotten", async () => {
  const folder = await mkdtemp(join(tmpdir(), "customer-chats-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [one, other] = [createCustomerChats(folder), createCustomerChats(folder)];
  const [maya, kenji] = [
    { id: "maya-okafor", name: "Maya" },
    { id: "kenji-mori", name: "Kenji" },
  ];
  expect(await one.list(maya)).toEqual([]);
  await one.add(maya, "chat_0001");
  await other.add(maya, "chat_0002");
  await other.add(kenji, "chat_0003");
  await one.add(maya, "chat_0001");
  for (const { list } of [one, other]) expect(await list(maya)).toEqual(["chat_0001", "chat_0002"]);
  await other.forget(maya, "chat_0001");
  await one.forget(kenji, "chat_0002");
  expect([await one.list(maya), await one.list(kenji)]).toEqual([["chat_0002"], ["chat_0003"]]);
  await one.add(maya, "chat_0001");
  expect(await other.list(maya)).toEqual(["chat_0001", "chat_0002"]);
});
