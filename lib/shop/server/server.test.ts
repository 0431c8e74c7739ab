/** The demo's sessions, its page of faults and its customers' chats. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCustomerChats } from "./customer-chats.ts";
import { readPlug } from "./plug.ts";
import { customerOf, customerOfSession, endSession, startSession } from "./sign-in.ts";

const requestWith = (session: string) =>
  new Request("http://localhost:3000/", { headers: { cookie: `theme=dark; shop_session=${session}; a=b` } });

test("signs a customer in until the session ends", () => {
  const session = startSession("maya-okafor") ?? "";
  expect(customerOf(requestWith(session))?.name).toBe("Maya Okafor");
  endSession(session);
  expect(customerOf(requestWith(session))).toBeNull();
  expect(customerOfSession(startSession("maya-okafor"))?.id).toBe("maya-okafor");
});

test("signs nobody in without a known customer", () => {
  for (const id of ["nobody", "", null, undefined, new File([], "maya-okafor")])
    expect(startSession(id)).toBeUndefined();
  expect(customerOf(new Request("http://localhost:3000/"))).toBeNull();
  expect(customerOf(requestWith("nobody~token"))).toBeNull();
});

test("is not there without the lab's key, as in front of a live channel", async () => {
  const response = await readPlug(new Request("http://localhost:3000/api/shop/plug?chat=chat_0001"));
  expect(response.status).toBe(404);
});

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
