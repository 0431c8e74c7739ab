import { expect, test } from "vitest";
import type { OperationName } from "../../chat-api/operations.ts";
import { createRateGate, type RateHeaders, readRateHeaders } from "./rate-gate.ts";

const maya = { customer: "maya", chatId: "chat_maya" };
const tom = { customer: "tom", chatId: "chat_tom" };
const lea = { customer: "lea", chatId: "chat_lea" };
const usedUp: RateHeaders = { limit: "600", isUsedUp: true };
const served: RateHeaders = { limit: "600", isUsedUp: false };

/** A rate gate whose clock advances only on demand. */
function aGate() {
  let time = 0;
  const gate = createRateGate(() => time);
  return {
    ...gate,
    refuse: (caller: typeof maya, seconds: number | undefined, rate?: RateHeaders) =>
      gate.refused({ caller, operation: "sendMessage", retryAfterSeconds: seconds, rate }),
    wait: (
      caller: { customer: string; chatId: string | undefined },
      operation: OperationName = "sendMessage",
    ) => gate.wait(caller, operation),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test("holds back only the chat whose message was refused", () => {
  const gate = aGate();
  gate.refuse(maya, 30);
  expect(gate.wait(maya)).toBe(30_000);
  expect(gate.wait(maya, "listMessages")).toBeLessThanOrEqual(0);
  expect(gate.wait({ ...maya, chatId: "chat_other" })).toBeLessThanOrEqual(0);
  expect(gate.wait(tom)).toBeLessThanOrEqual(0);
});

test("holds back only the customer whose call without a chat was refused", () => {
  const gate = aGate();
  const create = { customer: "maya", chatId: undefined };
  gate.refused({ caller: create, operation: "createChat", retryAfterSeconds: 5, rate: undefined });
  expect(gate.wait(create, "createChat")).toBe(5_000);
  expect(gate.wait({ ...create, customer: "tom" }, "createChat")).toBeLessThanOrEqual(0);
});

test("holds back everyone after refusals of two customers in a row", () => {
  const gate = aGate();
  gate.refuse(maya, 30);
  gate.refuse(maya, 30);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
  gate.refuse(tom, 20);
  expect(gate.wait(lea, "getChat")).toBe(20_000);
  gate.pass(20_000);
  expect(gate.wait(lea, "getChat")).toBeLessThanOrEqual(0);
  expect(gate.wait(maya)).toBe(10_000);
});

test("holds back nobody else when another customer was served between two refusals", () => {
  const gate = aGate();
  gate.refuse(maya, 30);
  gate.served(lea, undefined);
  gate.refuse(tom, 30);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
});

test("holds back everyone when a shared limit is used up", () => {
  const gate = aGate();
  gate.served(tom, served);
  gate.served(maya, served);
  gate.refuse(maya, 30, usedUp);
  expect(gate.wait(lea)).toBe(30_000);
});

test.each<[string, RateHeaders | undefined]>([
  ["that is not used up", served],
  ["of a different size", { limit: "5", isUsedUp: true }],
  ["without headers", undefined],
])("holds back nobody else for a limit %s", (_, rate) => {
  const gate = aGate();
  gate.served(tom, served);
  gate.served(maya, served);
  gate.refuse(maya, 30, rate);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
});

test("holds back nobody else when only this customer's responses had the limit", () => {
  const gate = aGate();
  gate.served(maya, served);
  gate.served(maya, served);
  gate.refuse(maya, 30, usedUp);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
});

test("does not shorten a wait for a later, shorter refusal", () => {
  const gate = aGate();
  gate.refuse(maya, 30);
  gate.refuse(maya, 1);
  expect(gate.wait(maya)).toBe(30_000);
  gate.refuse(tom, 40);
  gate.refuse(lea, 1);
  expect(gate.wait({ customer: "ada", chatId: "chat_ada" })).toBe(40_000);
});

test("waits a second without Retry-After and at most a minute with one", () => {
  const gate = aGate();
  gate.refuse(maya, undefined);
  expect(gate.wait(maya)).toBe(1_000);
  gate.refuse(maya, 86_400);
  expect(gate.wait(maya)).toBe(60_000);
});

test("reads RateLimit headers in any unit, and requires RateLimit-Limit", () => {
  const read = (headers: Record<string, string>) => readRateHeaders(new Headers(headers));
  expect(read({})).toBeUndefined();
  expect(read({ "RateLimit-Remaining": "0" })).toBeUndefined();
  expect(read({ "RateLimit-Limit": "600, 600;w=60" })).toEqual({ limit: "600, 600;w=60", isUsedUp: false });
  for (const remaining of ["0", " 0 ", "0.0"])
    expect(read({ "RateLimit-Limit": "600", "RateLimit-Remaining": remaining })?.isUsedUp).toBe(true);
  for (const remaining of ["", "1", "none"])
    expect(read({ "RateLimit-Limit": "600", "RateLimit-Remaining": remaining })?.isUsedUp).toBe(false);
});
